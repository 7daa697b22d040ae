/** Names the hint text on an empty board, which asks for a picture until the board shows one. */

/** The id of the hint text of a board. */
export function hintOf(boardId: string): string {
  return `${boardId}-hint`;
}
