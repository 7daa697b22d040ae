/** The words on an empty board that ask for a picture: they stand for the board, and go once it shows one. */

/** The id of the words on the board with this id. */
export function hintOf(boardId: string): string {
  return `${boardId}-hint`;
}
