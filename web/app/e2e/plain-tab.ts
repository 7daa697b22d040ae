// A tab that Playwright doesn't attach to. Playwright keeps each of its pages visible; these hide behind each other.
import type { Browser, CDPSession } from "playwright-core";

/** The answer to one command of the Chrome DevTools Protocol. */
interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

export class PlainTab {
  readonly #root: CDPSession;
  readonly #targetId: string;
  readonly #sessionId: string;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #commands = 0;

  private constructor(root: CDPSession, targetId: string, sessionId: string) {
    [this.#root, this.#targetId, this.#sessionId] = [root, targetId, sessionId];
    root.on("Target.receivedMessageFromTarget", (event) => {
      if (event.sessionId !== sessionId) return;
      const answer = JSON.parse(event.message) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  /** Opens a tab in front of the others. */
  static async open(browser: Browser): Promise<PlainTab> {
    const root = await browser.newBrowserCDPSession();
    const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: false });
    const tab = new PlainTab(root, targetId, sessionId);
    await tab.#send("Page.enable", {});
    return tab;
  }

  /** Runs a function in each page of the tab before its scripts. */
  async addInitScript(script: () => void): Promise<void> {
    await this.#send("Page.addScriptToEvaluateOnNewDocument", { source: `(${script})();` });
  }

  async goto(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
  }

  /** The value of an expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return answer.result?.result?.value;
  }

  async bringToFront(): Promise<void> {
    await this.#root.send("Target.activateTarget", { targetId: this.#targetId });
  }

  async close(): Promise<void> {
    await this.#root.send("Target.closeTarget", { targetId: this.#targetId });
  }

  async #send(method: string, params: object): Promise<Answer> {
    this.#commands += 1;
    const id = this.#commands;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await this.#root.send("Target.sendMessageToTarget", { sessionId: this.#sessionId, message });
    return await answered;
  }
}
