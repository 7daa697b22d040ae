// Uploads and removals on the page of the file store, by the requests that ARENA's programs send.
(() => {
  const status = document.getElementById("status");

  function cookie(name) {
    const pairs = document.cookie.split("; ").map((pair) => pair.split("="));
    return pairs.find(([found]) => found === name)?.[1] ?? "";
  }

  async function send(path, init) {
    await fetch("/user/v2/storelogin");
    const answer = await fetch(`/storemng/api/resources/${path}`, { ...init, headers: { "X-Auth": cookie("auth") } });
    if (answer.ok) return;
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail ?? `${answer.status} ${answer.statusText}`);
  }

  async function attempt(what, work) {
    status.textContent = `${what} …`;
    try {
      await work();
      location.reload();
    } catch (error) {
      status.textContent = `${what}: ${error.message}`;
    }
  }

  document.getElementById("upload")?.addEventListener("submit", (event) => {
    event.preventDefault();
    const { folder } = event.target.dataset;
    const files = [...document.getElementById("files").files];
    attempt("Uploading", async () => {
      for (const file of files) {
        status.textContent = `Uploading ${file.name} …`;
        await send(`${folder}${encodeURIComponent(file.name)}?override=true`, { method: "POST", body: file });
      }
    });
  });

  for (const button of document.querySelectorAll("button[data-remove]")) {
    button.addEventListener("click", () => {
      const { name, remove, picture } = button.dataset;
      if (!confirm(`Delete ${name} for good? It will be missing in every scene that shows it.`)) return;
      attempt(`Deleting ${name}`, async () => {
        await send(remove, { method: "DELETE" });
        if (picture) await send(picture, { method: "DELETE" });
      });
    });
  }
})();
