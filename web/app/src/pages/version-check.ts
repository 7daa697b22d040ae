/** Whether the realm has other pages by now than the open one, as after an update: what this one would still fetch is gone then. */

/** Asks the realm. */
export class Renewal {
  readonly #own: string;
  readonly #firstPage: () => Promise<string>;

  /** `own` is the address of the open page's first script, whose name holds a hash of the whole build; `firstPage` gives the realm's page of now. */
  constructor(own: string, firstPage: () => Promise<string>) {
    this.#own = own;
    this.#firstPage = firstPage;
  }

  /** The one of a document, whose realm is asked. */
  static of(document: Document): Renewal {
    const own = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
    return new Renewal(own, async () => {
      const answer = await fetch("/", { cache: "no-store" });
      if (!answer.ok) throw new Error(`the realm answered ${answer.status}`);
      return await answer.text();
    });
  }

  /** False also where the realm is away: then nobody knows. */
  async isRenewed(): Promise<boolean> {
    try {
      return !(await this.#firstPage()).includes(this.#own);
    } catch {
      return false;
    }
  }
}
