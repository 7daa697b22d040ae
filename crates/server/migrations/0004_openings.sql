-- Which opening of a scene changes belong to: one that is removed and made again under its name is another stream.
ALTER TABLE scenes ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

-- Whether the first scenes were made and filled. A realm that has started before has them, or its owner removed them.
ALTER TABLE realm ADD COLUMN first_scenes_made INTEGER NOT NULL DEFAULT 0;
UPDATE realm SET first_scenes_made = 1 WHERE epoch > 0;
