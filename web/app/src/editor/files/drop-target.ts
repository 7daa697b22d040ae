/** Handles files dropped anywhere on the page while its host is connected. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export interface DropListener {
  readonly over: (isOver: boolean) => void;
  readonly dropped: (files: readonly File[], at: { readonly clientX: number; readonly clientY: number }) => void;
}

/** Reports files dragged over the page or dropped on it. */
export class DropTarget implements ReactiveController {
  readonly #listener: DropListener;
  #listening = new AbortController();

  constructor(host: ReactiveControllerHost, listener: DropListener) {
    this.#listener = listener;
    host.addController(this);
  }

  hostConnected(): void {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    addEventListener("dragover", (event) => this.#over(event), { signal });
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.#listener.over(false), { signal });
    addEventListener("drop", (event) => this.#drop(event), { signal });
  }

  hostDisconnected(): void {
    this.#listening.abort();
  }

  #over(event: DragEvent): void {
    if (!hasFiles(event)) return;
    // Prevents the browser from navigating to the file.
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    this.#listener.over(true);
  }

  #drop(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#listener.over(false);
    const { clientX, clientY } = event;
    this.#listener.dropped([...(event.dataTransfer?.files ?? [])], { clientX, clientY });
  }
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
