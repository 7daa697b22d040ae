/** Reasons of refusals and failures. Part of `texts.ts`, split for its length. */

/** The English texts of refusals and failures. */
export const reasons = {
  /** By refusal code (`spec/topics.md` section 2). Codes that are missing here reach only programs. */
  refused: new Map([
    ["too_large", "it is too large"],
    ["too_deep", "it is nested too deeply"],
    ["not_granted", "you don't have permission"],
    ["wrong_identity", "you don't have permission"],
    ["no_such_scene", "this scene no longer exists"],
    ["departed", "its author has left"],
    ["too_many_objects", "this scene has reached its limit of objects"],
    ["too_many_retained", "this server has reached its storage limit"],
    ["flood", "that was too fast, so wait a moment"],
    ["not_moderator", "only moderators can do that"],
    ["reserved_type", "guests can't create or change that"],
    ["not_stored", "it isn't stored, or it no longer exists"],
    ["already_there", "it already exists"],
    ["silenced", "you are muted in the chat"],
    ["locked", "the scene is locked"],
    ["full", "the scene is full"],
  ]),
  atMost: (reason: string, limit: string) => `${reason} (at most ${limit})`,
  away: "The server can't be reached. Check your network and try again.",
  answered: (status: number) => `The server refused it (status ${status}).`,
  stopped: "Cancelled.",
  tookTooLong: "It took too long.",
};
