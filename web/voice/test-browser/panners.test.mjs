/** Placed voices in Chromium: loudness by distance, front and back, and changes of the panner. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openBuilt } from "../../test-browser.mjs";

const RATE_HZ = 48_000;
/** The band of telephones, in which front and back differ little. */
const BAND_HZ = [300, 3_400];

/** `CONTEXT_WAKES_MS` of the package. */
const WAKES_MS = 500;

let served;
let page;

before(async () => {
  served = await openBuilt(
    (outDir) => ({
      configFile: false,
      logLevel: "warn",
      root: fileURLToPath(new URL("page", import.meta.url)),
      base: "./",
      build: { outDir, emptyOutDir: true, target: "es2022", minify: false },
    }),
    ["--autoplay-policy=no-user-gesture-required"],
  );
  page = await served.browser.newPage();
  await page.goto(served.address);
  await page.waitForSelector("body[data-ready]", { state: "attached" });
});

after(() => served?.close());

const render = (rendering) => page.evaluate((rendering) => underTest.render(rendering), rendering);

/** An impulse, whose rendering is the impulse response. */
const IMPULSE = Array.from({ length: 8_192 }, (_, at) => (at === 0 ? 1 : 0));

/** Power of both channels at a frequency. */
function powerAt(channels, hz) {
  return channels.reduce((sum, samples) => {
    let [real, imaginary] = [0, 0];
    for (const [at, sample] of samples.entries()) {
      const angle = (2 * Math.PI * hz * at) / RATE_HZ;
      real += sample * Math.cos(angle);
      imaginary -= sample * Math.sin(angle);
    }
    return sum + real * real + imaginary * imaginary;
  }, 0);
}

/** Mean power of both channels by thirds of an octave within the band. */
function thirds(channels) {
  const bands = [];
  for (let low = BAND_HZ[0]; low < BAND_HZ[1]; low *= 2 ** (1 / 3)) {
    const high = Math.min(low * 2 ** (1 / 3), BAND_HZ[1]);
    const powers = Array.from({ length: 8 }, (_, at) => powerAt(channels, low + ((high - low) * (at + 0.5)) / 8));
    bands.push({ hz: Math.sqrt(low * high), power: powers.reduce((sum, power) => sum + power, 0) / powers.length });
  }
  return bands;
}

const decibels = (power, reference) => 10 * Math.log10(power / reference);
const total = (bands) => bands.reduce((sum, { power }) => sum + power, 0);

for (const usesHrtf of [false, true]) {
  const by = usesHrtf ? "head-related transfer functions" : "equal power";

  test(`a voice has half the loudness at 2 m and a tenth at 10 m, by ${by}`, async () => {
    const at = async (metres) => total(thirds(await render({ samples: IMPULSE, position: [0, 0, -metres], usesHrtf })));
    const [near, two, ten] = [await at(1), await at(2), await at(10)];
    assert.ok(Math.abs(decibels(two, near) + 6) < 0.1, `${decibels(two, near)} dB at 2 m`);
    assert.ok(decibels(ten, near) > -20.1, `${decibels(ten, near)} dB at 10 m`);
    assert.ok(decibels(ten, near) < -19, `negative control: ${decibels(ten, near)} dB at 10 m`);
  });

  test(`a voice behind is within 3 dB of one in front, by ${by}`, async () => {
    const from = async (z) => thirds(await render({ samples: IMPULSE, position: [0, 0, z], usesHrtf }));
    const [front, back] = [await from(-2), await from(2)];
    const differences = front.map(({ hz, power }, band) => [Math.round(hz), decibels(back[band].power, power)]);
    for (const [hz, difference] of differences) assert.ok(Math.abs(difference) <= 3, `${difference} dB at ${hz} Hz`);
  });
}

/** A low tone, whose own steps are small: a click is far greater. */
const TONE = Array.from({ length: 60_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * 150 * at) / RATE_HZ));

test("a change of the panner makes no step above twice the greatest one of the voice", async () => {
  // Chromium loads its functions with the first such panner, and can't while it renders without a sound card.
  await render({ samples: IMPULSE, position: [0, 0, -1], usesHrtf: true });
  const changes = Array.from({ length: 12 }, (_, at) => [0.1 + 0.1 * at, at % 2 === 0]);
  const from = (position) =>
    page.evaluate((rendering) => underTest.steps(rendering), { samples: TONE, position, usesHrtf: false, changes });
  for (const position of [
    [0, 0, -1],
    [1, 0, 0],
    [-0.7, 0, 0.7],
  ]) {
    const { own, heard } = await from(position);
    assert.ok(heard > 0, "negative control: it is heard");
    assert.ok(heard <= 2 * own, `a step ${heard / own} times the greatest of the voice, from ${position}`);
  }
});

test("a suspended context takes units, and runs again before a hint to press would appear", {
  timeout: 60_000,
}, async () => {
  const { runsMs, answersMs } = await page.evaluate(() => underTest.wakeUp());
  assert.ok(runsMs < WAKES_MS, `${runsMs} ms`);
  assert.ok(answersMs < WAKES_MS, `${answersMs} ms`);
});
