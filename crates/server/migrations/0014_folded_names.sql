-- Names are compared without the case of their letters. The indexes find such a name without reading all of them.
CREATE INDEX accounts_by_folded_name ON accounts (lower(name));
CREATE INDEX retired_names_by_folded_name ON retired_names (lower(name));
CREATE INDEX files_by_folded_owner ON files (lower(owner));
CREATE INDEX scenes_by_folded_namespace ON scenes (lower(namespace));
