/** The shapes of reactions: filled paths (even-odd) in a 24 × 24 square, independent of emoji fonts. */

/** The reactions by the names of `spec/topics.md` section 2.2. */
export const REACTIONS = {
  heart: {
    color: "#f43f5e",
    path: "M12 21C6 16.2 2.5 12.7 2.5 8.6A5 5 0 0 1 12 6.2a5 5 0 0 1 9.5 2.4c0 4.1-3.5 7.6-9.5 12.4z",
  },
  thumb: {
    color: "#fbbf24",
    path: "M2.5 10.5h3.8V21H2.5zM8 20.3v-9.6l3.9-8.2c1.9 0 3 1.5 2.6 3.4L13.8 9.3h5.8c1.5 0 2.5 1.3 2.2 2.7l-1.7 7c-.3 1.2-1.3 2-2.5 2H10c-.9 0-1.5-.2-2-.7z",
  },
  clap: {
    color: "#fb923c",
    path: "M10 1.5h1.7v3.6H10zM14.6 2.3l1.6.7-1.5 3.3-1.6-.7zM5.5 3l1.6-.7 1.5 3.3-1.6.7zM4.6 9.3c.8-.8 2-.8 2.8 0l3.2 3.2V9c0-1 .8-1.8 1.8-1.8S14.2 8 14.2 9v2.6l.9-.9c.7-.7 1.9-.7 2.6 0s.7 1.8 0 2.5l2-1c.7-.4 1.6.1 1.7 1 .1.6-.2 1-.6 1.4l-5.7 6a5.8 5.8 0 0 1-8.4 0l-3.5-3.5c-.7-.7-.7-1.8 0-2.5.6-.6 1.5-.7 2.2-.2l-.8-2.3c-.6-.8-.6-2 0-2.8z",
  },
  laugh: {
    color: "#facc15",
    path: "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM6.3 10.5h3.6c0-2.4-3.6-2.4-3.6 0zM14.1 10.5h3.6c0-2.4-3.6-2.4-3.6 0zM6 13c.4 3.6 2.8 5.8 6 5.8s5.6-2.2 6-5.8z",
  },
  star: { color: "#38bdf8", path: "M12 1.8l3.1 6.5 7.1.9-5.2 4.9 1.3 7.1L12 17.7l-6.3 3.5L7 14.1 1.8 9.2l7.1-.9z" },
  question: {
    color: "#a78bfa",
    path: "M12 2a10 9 0 1 1-3 17.6L3.5 22l1.3-4.7A9 9 0 0 1 12 2zM9 8.5h2c0-1.4 2.2-1.4 2.2 0 0 .8-.6 1.1-1.2 1.6-.7.5-1.1 1.2-1.1 2.4h2c0-.8.4-1.1 1-1.5.8-.6 1.4-1.3 1.4-2.5 0-3.6-6.3-3.6-6.3 0zM11 13.7h2v2h-2z",
  },
} as const satisfies Readonly<Record<string, { readonly color: string; readonly path: string }>>;

/** A reaction's name. */
export type Reaction = keyof typeof REACTIONS;

const NAMES: readonly Reaction[] = ["heart", "thumb", "clap", "laugh", "star", "question"];

/** The reaction of that name; `null` if unknown. */
export function reactionOf(name: unknown): Reaction | null {
  return NAMES.find((known) => known === name) ?? null;
}
