/** Reasons of refusals and failures. Part of `texts.ts`, split for its length. */

/** The English texts. */
export const reasons = {
  /** By refusal code (`spec/topics.md` section 2). Codes that are missing here reach only programs. */
  refused: new Map([
    ["too_large", "it is too large"],
    ["too_deep", "it has too many parts within parts"],
    ["not_granted", "you may not do that here"],
    ["wrong_identity", "you may not do that here"],
    ["no_such_scene", "there is no such scene any more"],
    ["departed", "whoever made it has left"],
    ["too_many_objects", "there is no room for more things in this scene"],
    ["too_many_retained", "there is no room for more of it in this realm"],
    ["flood", "it came too fast"],
    ["not_moderator", "that is for those who moderate"],
    ["reserved_type", "guests may not make or change that"],
    ["not_stored", "it is not kept, or gone by now"],
    ["already_there", "it is there already"],
    ["silenced", "you are silenced in the chat"],
    ["locked", "the door is locked"],
    ["full", "the scene is full"],
  ]),
  atMost: (reason: string, limit: string) => `${reason}, ${limit}`,
  away: "The realm can't be reached.",
  answered: (status: number) => `The realm doesn't take it (${status}).`,
  stopped: "It was stopped.",
  tookTooLong: "It took too long.",
};
