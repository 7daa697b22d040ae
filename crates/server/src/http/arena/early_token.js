
// ARENA's pages pass their token on by the event `onauth` when they have loaded, and begin to listen for it a moment later. Where a host answers before
// a page has loaded, nobody would hear it and the page would stay black. So whoever begins to listen after the event is told of it.
(() => {
  const listen = window.addEventListener;
  let passed;
  listen.call(window, "onauth", (event) => {
    passed = event;
  });
  window.addEventListener = function (type, listener, options) {
    listen.call(this, type, listener, options);
    if (type === "onauth" && passed) setTimeout(() => listener(passed));
  };
})();
