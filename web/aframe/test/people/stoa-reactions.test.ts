import { expect, test } from "vitest";
import { REACTION_MS, REACTION_RISE_M, REACTIONS_SHOWN_MAX } from "../../src/limits.ts";
import { reactionOf } from "../../src/people/reactions.ts";
import { ReactionsBehaviour } from "../../src/people/stoa-reactions.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function reactions() {
  const el = stubEntity(stubScene());
  const component = new ReactionsBehaviour(stubAFrame(), el);
  component.tick(1_000);
  return { el, component };
}

test("a reaction rises, and is removed when its time ends", () => {
  const { el, component } = reactions();
  component.show("heart", 1, 2, 3);
  component.tick(1_000 + REACTION_MS / 2);
  expect(el.object3D.children[0]?.position.toArray()).toEqual([1, expect.closeTo(2 + REACTION_RISE_M / 2, 5), 3]);
  component.tick(1_000 + REACTION_MS);
  expect([component.count, el.object3D.children.length]).toEqual([0, 0]);
});

test("the number of shown reactions is limited", () => {
  const { component } = reactions();
  for (let at = 0; at < REACTIONS_SHOWN_MAX + 5; at += 1) component.show("star", at, 0, 0);
  expect(component.count).toBe(REACTIONS_SHOWN_MAX);
});

test("remove deletes all reactions", () => {
  const { el, component } = reactions();
  component.show("clap", 0, 0, 0);
  component.remove();
  expect(el.object3D.children.length).toBe(0);
});

test.each(["toString", "", 7, null, "HEART"])("%s is no reaction", (name) => expect(reactionOf(name)).toBeNull());
