import { afterEach, describe, expect, it, vi } from "vitest";
import { beginsRight, kindOf, objectFor, sizeOf, storedName } from "../../../src/editor/files/file-kinds.ts";
import { sendFile } from "../../../src/editor/files/send-file.ts";
import { bytesInWords, refusalOf, requestQuota, type StorageQuota } from "../../../src/editor/files/storage-quota.ts";
import {
  type FileReceivingObject,
  groupedFiles,
  type UploadDependencies,
  UploadQueue,
} from "../../../src/editor/files/uploads.ts";
import { workOnModel } from "../../../src/editor/models/model-worker-client.ts";
import type { ModelWorkerReport } from "../../../src/editor/models/worker-messages.ts";
import { find, show } from "../../support/page.ts";
import { holding, texts } from "../../support/texts.ts";

const words = texts.edit.files;
const QUOTA: StorageQuota = { usedBytes: 900, bytesMax: 1_000, files: 1, filesMax: 2, fileBytesMax: 500 };

describe("a file", () => {
  it("has a kind by its extension, and must begin with that kind's signature", () => {
    expect(["a.GLB", "b.vrm", "c.jpeg", "d.spz", "e.exe", "f"].map(kindOf)).toEqual([
      "model",
      "model",
      "image",
      "splat",
      undefined,
      undefined,
    ]);
    expect(beginsRight("a.glb", new TextEncoder().encode("glTF\x02\0\0\0"))).toBe(true);
    expect(beginsRight("a.glb", new TextEncoder().encode("<html>"))).toBe(false);
    expect(beginsRight("a.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47]))).toBe(true);
  });

  it("gets a stored name that is safe in a path", () => {
    expect(storedName("Müller's chair (1).GLB", "abc123")).toBe("Mu-ller-s-chair-1-abc123.glb");
    expect(storedName("../..", "abc123", "glb")).toBe("file-abc123.glb");
  });

  it("becomes the object that shows it", () => {
    expect(sizeOf(2)).toEqual({ width: 1.6, height: 0.8 });
    expect(objectFor("image", "/store/a.png", { objectId: "a", media: { aspect: 0.5 } }).attributes).toEqual({
      object_type: "image",
      url: "/store/a.png",
      width: 0.8,
      height: 1.6,
    });
    expect(objectFor("video", "/store/a.mp4", { objectId: "v" }).attributes["video-control"]).toMatchObject({
      video_path: "/store/a.mp4",
      video_object: "v",
    });
  });

  it.each([
    [100, null],
    [101, words.noRoom("a.glb", bytesInWords(101), bytesInWords(100))],
    [501, words.tooLarge("a.glb", bytesInWords(501), bytesInWords(500))],
    [0, words.empty("a.glb")],
  ])("of %i bytes gets the refusal %s", (bytes, why) => {
    expect(refusalOf("a.glb", bytes, QUOTA)).toBe(why);
    if (why !== null) holding(why, "a.glb", bytes === 0 ? "" : bytesInWords(bytes));
  });

  it("gets its storage quota from the server, and guests have none", async () => {
    const fields = { used_bytes: 900, bytes_max: 1_000, files: 1, files_max: 2, file_bytes_max: 500 };
    expect(await requestQuota(() => Promise.resolve(Response.json(fields)))).toEqual(QUOTA);
    expect(await requestQuota(() => Promise.resolve(new Response("{}", { status: 401 })))).toBe("guest");
    expect(await requestQuota(() => Promise.resolve(Response.json({})))).toBe("unknown");
    expect(bytesInWords(1_234_567)).toBe(texts.shared.size("1.2", texts.shared.units[2] ?? ""));
  });

  it("of type .gltf is grouped with the files chosen together with it", () => {
    const files = ["room.gltf", "room.bin", "wall.png"].map((name) => new File(["x"], name));
    expect(groupedFiles(files).map(({ file, parts }) => [file.name, parts.map(({ name }) => name)])).toEqual([
      ["room.gltf", ["room.bin", "wall.png"]],
    ]);
    expect(groupedFiles(files.slice(2)).map(({ file }) => file.name)).toEqual(["wall.png"]);
  });
});

/** Uploads whose ports record their calls. */
function uploading(reports: readonly ModelWorkerReport[], options: Partial<UploadDependencies> = {}) {
  const done: string[] = [];
  const settled: (() => void)[] = [];
  const uploads = new UploadQueue({
    quota: () => Promise.resolve({ ...QUOTA, bytesMax: 1e9, fileBytesMax: 1e9 }),
    folder: () => "users/ada/uploads",
    send: (content, { path, onProgress }) => {
      onProgress(0.5);
      done.push(`send ${path.replace(/-[0-9a-z]{6}/, "-ID")} ${content.size}`);
      return Promise.resolve(`/store/${path}`);
    },
    work: async (_, onReport) => {
      for (const report of reports) onReport(report);
    },
    look: () => Promise.resolve({ aspect: 2 }),
    show: (_, { attributes }) => {
      done.push(`show ${attributes.object_type}`);
      return Promise.resolve();
    },
    thumbnail: () => Promise.resolve(null),
    replace: (_, from, to) => {
      done.push(`replace ${to.replace(from, "FROM")}`);
      return Promise.resolve(true);
    },
    changed: () => {
      if (uploads.list.every(({ state }) => state === "done" || state === "failed")) for (const tell of settled) tell();
    },
    ...options,
  });
  const take = (name: string, content: BlobPart): Promise<void> => {
    const over = new Promise<void>((resolve) => settled.push(resolve));
    uploads.add([{ file: new File([content], name), parts: [], index: 0 }]);
    return over;
  };
  return { uploads, done, take };
}

const LEFT: ModelWorkerReport = { kind: "left", why: "VRM" };
const MODEL = `glTF${"x".repeat(996)}`;

describe("uploads", () => {
  it("of two drops are placed at the position of their own drop", async () => {
    const places: unknown[] = [];
    const { uploads, take } = uploading([], {
      show: (_, __, { at }) => {
        places.push(at);
        return Promise.resolve();
      },
    });
    const file = new File(["GIF8"], "a.gif");
    uploads.add([{ file, parts: [], index: 0, at: { x: 1, y: 0, z: 0 } }]);
    uploads.add([{ file, parts: [], index: 0, at: { x: 2, y: 0, z: 0 } }]);
    await take("b.gif", "GIF8");
    expect(places).toEqual([{ x: 1, y: 0, z: 0 }, { x: 2, y: 0, z: 0 }, undefined]);
  });

  it("a model is sent and shown unchanged, then replaced by its optimised form under the same name", async () => {
    const bytes = new Uint8Array(100);
    const { uploads, done, take } = uploading([
      { kind: "checked", faults: [], packed: null },
      { kind: "progress", done: 0.5 },
      { kind: "optimised", bytes },
    ]);
    await take("duck.glb", MODEL);
    expect(done).toEqual([
      "send users/ada/uploads/duck-ID.glb 1000",
      "show gltf-model",
      "send users/ada/uploads/duck-ID.glb 100",
      "replace FROM?v=2",
    ]);
    expect(uploads.list[0]).toMatchObject({
      state: "done",
      words: holding(words.optimised(bytesInWords(1_000), bytesInWords(100)), "1 ", "100 "),
    });
  });

  it("the progress of optimising a model is reported", async () => {
    let told: number | undefined;
    const work: UploadDependencies["work"] = async (_, onReport) => {
      onReport({ kind: "checked", faults: [], packed: null });
      await expect.poll(() => uploads.list[0]?.state).toBe("optimising");
      onReport({ kind: "progress", done: 0.5 });
      told = uploads.list[0]?.done;
      onReport({ kind: "left", why: "VRM" });
    };
    const { uploads, take } = uploading([], { work });
    await take("duck.glb", MODEL);
    expect(told).toBe(0.5);
  });

  it("a file chosen for an object goes into that object, and is refused if its kind doesn't fit", async () => {
    const { uploads, done } = uploading([]);
    const into: FileReceivingObject = {
      objectId: "board",
      takes: ["image"],
      put: async ({ kind, url, media }) => {
        done.push(`put ${kind} ${url.replace(/-[0-9a-z]{6}/, "-ID")} ${media?.aspect}`);
        return url.includes("cat");
      },
    };
    for (const name of ["cat.gif", "song.mp3", "dog.gif"])
      uploads.add([{ file: new File(["GIF8"], name), parts: [], index: 0, into }]);
    await expect.poll(() => uploads.list.map(({ state }) => state)).toEqual(["failed", "failed", "done"]);
    expect(done.filter((line) => line.startsWith("put"))).toEqual([
      "put image /store/users/ada/uploads/cat-ID.gif 2",
      "put image /store/users/ada/uploads/dog-ID.gif 2",
    ]);
    expect(uploads.list.map(({ into: board, words: why }) => [board, why])).toEqual([
      ["board", words.states.failed],
      ["board", words.otherKind("song.mp3", ".avif, .gif, .jpeg, .jpg, .png, .webp")],
      ["board", ""],
    ]);
    const list = await show(document.createElement("stoa-uploads"), { uploads, into: "table" });
    expect(list.shadowRoot?.querySelector("li"), "of another thing").toBeNull();
    list.into = "board";
    await list.updateComplete;
    expect(list.shadowRoot?.querySelectorAll("li")).toHaveLength(3);
  });

  it("a model's thumbnail is stored next to it, and a refused thumbnail doesn't fail the upload", async () => {
    const thumbnail = () => Promise.resolve(new Blob(["picture"]));
    const reports: readonly ModelWorkerReport[] = [
      { kind: "checked", faults: [], packed: null },
      { kind: "left", why: "VRM" },
    ];
    const { done, take } = uploading(reports, { thumbnail });
    await take("duck.glb", MODEL);
    expect(done.at(-1)).toBe("send users/ada/uploads/duck-ID.glb.webp 7");
    const send: UploadDependencies["send"] = (_, { path }) =>
      path.endsWith(".webp") ? Promise.reject(new Error("full")) : Promise.resolve(`/store/${path}`);
    const full = uploading(reports, { thumbnail, send });
    await full.take("duck.glb", MODEL);
    expect(full.uploads.list[0]).toMatchObject({ state: "done", words: words.leftAsIs("VRM") });
  });

  it("the dismiss button of an upload names its file", async () => {
    const { uploads, take } = uploading([]);
    await take("chair.exe", "x");
    const list = await show(document.createElement("stoa-uploads"), { uploads });
    const close = find(list.shadowRoot, ".close", HTMLElement);
    expect(close.getAttribute("aria-label")).toBe(words.dismiss("chair.exe"));
  });

  it("a thumbnail's URL is revoked when its upload is dismissed or the queue ends", async () => {
    const revoked = vi.spyOn(URL, "revokeObjectURL");
    const picture = () => Promise.resolve(new Blob(["webp"]));
    const { uploads, take } = uploading([{ kind: "checked", faults: [], packed: null }, LEFT], { thumbnail: picture });
    await take("chair.glb", MODEL);
    await take("table.glb", MODEL);
    const [table, chair] = uploads.list.map(({ id, thumbnailUrl }) => ({ id, url: thumbnailUrl }));
    expect(chair?.url).toMatch(/^blob:/);
    uploads.dismiss(chair?.id ?? "");
    expect(revoked.mock.calls).toEqual([[chair?.url]]);
    uploads.end();
    expect(revoked.mock.calls).toEqual([[chair?.url], [table?.url]]);
    revoked.mockRestore();
  });

  it("an optimised form that is hardly smaller is discarded", async () => {
    const { uploads, done, take } = uploading([
      { kind: "checked", faults: [], packed: null },
      { kind: "optimised", bytes: new Uint8Array(990) },
    ]);
    await take("duck.glb", MODEL);
    expect(done).toHaveLength(2);
    expect(uploads.list[0]).toMatchObject({ state: "done", words: words.good });
  });

  it("a model with faults is sent only after the user insists", async () => {
    const { uploads, done, take } = uploading([{ kind: "checked", faults: ["No mesh."], packed: null }]);
    await take("duck.glb", MODEL);
    expect(done).toEqual([]);
    expect(uploads.list[0]).toMatchObject({ state: "failed", mayInsist: true });
    expect(uploads.list[0]?.words).toContain("No mesh.");
    uploads.insist(uploads.list[0]?.id ?? "");
    await expect.poll(() => uploads.list[0]?.state).toBe("done");
    expect(done).toEqual(["send users/ada/uploads/duck-ID.glb 1000", "show gltf-model"]);
  });

  it("the first three faults of a model are listed, with the number of further ones", async () => {
    const { uploads, take } = uploading([{ kind: "checked", faults: ["a", "b", "c", "d", "e"], packed: null }]);
    await take("chair.glb", MODEL);
    expect(uploads.list[0]?.words).toBe(
      holding(words.faulty("chair.glb", `a b c ${words.moreFaults(2)}`), "chair.glb", "a b c", "2"),
    );
  });

  it("a model that can't be optimised stays unchanged, with the reason", async () => {
    const { uploads, done, take } = uploading([
      { kind: "checked", faults: [], packed: null },
      { kind: "failed", words: "out of memory" },
    ]);
    await take("duck.glb", MODEL);
    expect(done).toHaveLength(2);
    expect(uploads.list[0]?.words).toBe(holding(words.leftFor("out of memory"), "out of memory"));
  });

  it.each([
    ["a.exe", "x", words.unknown("a.exe")],
    ["a.glb", "<html>", words.otherThanItSays("a.glb", "glb")],
    ["a.png", "", words.empty("a.png")],
  ])("the file %s is refused with a message", async (name, content, why) => {
    const { uploads, done, take } = uploading([]);
    await take(name, content);
    expect(done).toEqual([]);
    expect(uploads.list[0]).toMatchObject({ state: "failed", mayInsist: false });
    expect(uploads.list[0]?.words).toBe(holding(why, name));
  });

  it.each(["quota", "send"])("an upload cancelled during the %s step performs no later step", async (during) => {
    const giveUp = () => uploads.dismiss(uploads.list[0]?.id ?? "");
    const { uploads, done } = uploading([{ kind: "checked", faults: [], packed: null }], {
      quota: async () => {
        await Promise.resolve();
        if (during === "quota") giveUp();
        return { ...QUOTA, bytesMax: 1e9, fileBytesMax: 1e9 };
      },
      send: async () => {
        done.push("send");
        if (during === "send") giveUp();
        return "/store/duck.glb";
      },
    });
    uploads.add([{ file: new File([MODEL], "duck.glb"), parts: [], index: 0 }]);
    const [upload] = uploads.list;
    await expect.poll(() => upload?.state).toMatch(/done|failed/);
    expect(done).toEqual(during === "quota" ? [] : ["send"]);
    expect(upload?.state).toBe("failed");
  });

  it("sending a file with an aborted signal rejects with AbortError", async () => {
    const sending = { path: "users/ada/a.png", onProgress: () => undefined, signal: AbortSignal.abort() };
    await expect(sendFile(new Blob(["x"]), sending)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("a file that the server refuses shows the server's message", async () => {
    const send = () => Promise.reject(new Error("the file has more than the 5 bytes left"));
    const { uploads, take } = uploading([], { send });
    await take("a.mp3", "x");
    expect(uploads.list[0]).toMatchObject({ state: "failed", words: "the file has more than the 5 bytes left" });
  });
});

describe("the model worker", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it.each([
    ["an error", (worker: FakeWorker) => worker.onerror?.({ message: "out of memory" })],
    ["a last word", (worker: FakeWorker) => worker.onmessage?.({ data: LEFT })],
  ])("clears its timeout when it ends with %s", async (_, end) => {
    vi.useFakeTimers();
    const workers: FakeWorker[] = [];
    vi.stubGlobal("Worker", FakeWorker.seenIn(workers));
    const reports: ModelWorkerReport[] = [];
    const work = workOnModel(
      { bytes: new Uint8Array(4) },
      (report) => void reports.push(report),
      new AbortController().signal,
    );
    expect(vi.getTimerCount(), "it may take too long").toBe(1);
    for (const worker of workers) end(worker);
    await work;
    expect(reports).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

class FakeWorker {
  onerror: ((event: { message: string }) => void) | undefined;
  onmessage: ((event: { data: ModelWorkerReport }) => void) | undefined;

  static seenIn(workers: FakeWorker[]) {
    return class extends FakeWorker {
      constructor() {
        super();
        workers.push(this);
      }
    };
  }

  postMessage(): void {}
  terminate(): void {}
}
