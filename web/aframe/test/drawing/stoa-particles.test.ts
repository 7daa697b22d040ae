import { Points, ShaderMaterial } from "three";
import { expect, test } from "vitest";
import { ramp } from "../../src/drawing/ramp.ts";
import { ParticlesBehaviour, type ParticlesProps } from "../../src/drawing/stoa-particles.ts";
import { settingsOf } from "../../src/mapping/object-settings.ts";
import { fakeLibrary, settled } from "../paintable.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function cloud(spe: Record<string, unknown>, files = fakeLibrary()) {
  const el = stubEntity(stubScene());
  const particles = new ParticlesBehaviour(stubAFrame(), el, () => files.library);
  const all = settingsOf({ object_type: "entity", "spe-particles": spe }, { base: "https://realm.local/public/lobby" });
  particles.update(all["stoa-particles"] as ParticlesProps);
  const points = el.getObject3D("stoa-particles");
  if (!(points instanceof Points && points.material instanceof ShaderMaterial))
    throw new Error("there are no particles");
  return { el, particles, points, uniforms: points.material.uniforms };
}

test("a particle cloud has as many points as particleCount, up to a limit", () => {
  expect(cloud({ particleCount: 50 }).points.geometry.getAttribute("number").count).toBe(50);
  expect(cloud({ particleCount: 1e9 }).points.geometry.getAttribute("number").count).toBe(5_000);
});

test("particle time advances with each frame, by at most 0.1 s", () => {
  const { particles, uniforms } = cloud({});
  particles.tick(0, 16);
  expect(uniforms.time?.value).toBeCloseTo(0.016);
  particles.tick(0, 60_000);
  expect(uniforms.time?.value).toBeCloseTo(0.116);
});

test("a list of values over a particle's life is resampled to four values", () => {
  expect(ramp([0, 1, 0])).toEqual([0, 2 / 3, expect.closeTo(2 / 3), 0]);
  expect(ramp([7])).toEqual([7, 7, 7, 7]);
  expect(ramp([])).toEqual([0, 0, 0, 0]);
});

test("remove takes the cloud away", () => {
  const { el, particles } = cloud({});
  particles.remove();
  expect(el.object3D.children).toEqual([]);
});

test("a particle texture loads through the queue and is freed with the particles", async () => {
  const files = fakeLibrary();
  const { particles } = cloud({ texture: "/store/spark.png" }, files);
  await settled();
  expect(files.fetched).toEqual(["picture https://realm.local/store/spark.png"]);
  particles.update({ particles: null });
  expect([files.library.size, files.freed.length]).toEqual([0, 1]);
});

test("other settings with the same picture don't fetch it anew", async () => {
  const files = fakeLibrary();
  const { particles } = cloud({ texture: "/store/spark.png" }, files);
  await settled();
  const more = { object_type: "entity", "spe-particles": { texture: "/store/spark.png", size: 3 } };
  particles.update(settingsOf(more, { base: "https://realm.local/public/lobby" })["stoa-particles"] as ParticlesProps);
  await settled();
  expect([files.fetched.length, files.freed.length]).toEqual([1, 0]);
});
