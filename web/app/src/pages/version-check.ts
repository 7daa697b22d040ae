/** Detects that the realm serves another build than the open page's. The page's own chunks can't be loaded then. */

/** Compares the page's build with the one that the realm serves. */
export class VersionCheck {
  readonly #own: string;
  readonly #firstPage: () => Promise<string>;

  /**
   * `own` is the address of the open page's first script, whose name contains a hash of the whole build; `firstPage`
   * fetches the realm's current page.
   */
  constructor(own: string, firstPage: () => Promise<string>) {
    this.#own = own;
    this.#firstPage = firstPage;
  }

  /** The check for a document, with the realm that served it. */
  static of(document: Document): VersionCheck {
    const own = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
    return new VersionCheck(own, async () => {
      const answer = await fetch("/", { cache: "no-store" });
      if (!answer.ok) throw new Error(`the realm answered ${answer.status}`);
      return await answer.text();
    });
  }

  /** Whether the realm serves another build; false while the realm is offline, since its build is unknown then. */
  async isRenewed(): Promise<boolean> {
    try {
      return !(await this.#firstPage()).includes(this.#own);
    } catch {
      return false;
    }
  }
}
