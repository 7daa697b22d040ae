// Runs the unmodified MQTT.js or Eclipse Paho's JavaScript client and prints the received messages for a test:
// `node mqtt_clients.mjs mqtt.js 4|5 -- URL USER TOKEN`, `node mqtt_clients.mjs paho -- …`.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/client/package.json", import.meta.url));
const [client, ...rest] = process.argv.slice(2);
const [url, username, password] = rest.slice(rest.indexOf("--") + 1);
const SAID = "plain/said";
const KEPT = "plain/kept";

const print = (topic, payload, { qos, retain }) => console.log(`${topic} ${payload} ${qos}${retain ? " retained" : ""}`);
const end = (problem) => {
  if (problem) console.error(problem);
  process.exit(problem ? 1 : 0);
};
process.on("unhandledRejection", end);

async function mqttJs(protocolVersion) {
  const { connectAsync } = require("mqtt");
  const connect = (clientId, lasts) =>
    connectAsync(url, {
      ...{ clientId, username, password, protocolVersion, clean: !lasts, reconnectPeriod: 0 },
      ...(protocolVersion === 5 && lasts ? { properties: { sessionExpiryInterval: 600 } } : {}),
    });
  const ada = await connect("ada", false);
  const heard = (who, count) =>
    new Promise((resolve) => {
      const messages = [];
      who.on("message", (topic, payload, packet) => {
        messages.push(packet);
        if (messages.length === count) resolve(messages);
      });
    });
  for (const qos of [0, 1, 2]) await ada.publishAsync(KEPT, `kept ${qos}`, { qos, retain: true });
  const all = heard(ada, 4);
  await ada.subscribeAsync("plain/#", { qos: 2 });
  for (const qos of [0, 1, 2]) await ada.publishAsync(SAID, `said ${qos}`, { qos });
  for (const packet of await all) print(packet.topic, packet.payload.toString().replace(/ \d$/, ""), packet);
  await (await connect("bo", true).then(async (bo) => (await bo.subscribeAsync(SAID, { qos: 1 }), bo))).endAsync();
  await ada.publishAsync(SAID, "meanwhile", { qos: 1 });
  const { connect: begin } = require("mqtt");
  const properties = protocolVersion === 5 ? { properties: { sessionExpiryInterval: 600 } } : {};
  const bo = begin(url, { clientId: "bo", username, password, protocolVersion, clean: false, reconnectPeriod: 0, ...properties });
  bo.on("error", end);
  const [packet] = await heard(bo, 1);
  console.log(`back: ${packet.topic} ${packet.payload} ${packet.qos}`);
  end();
}

async function paho() {
  globalThis.WebSocket = require("ws");
  globalThis.window = globalThis;
  const Paho = require("paho-mqtt");
  const open = (name, cleanSession, onMessage) =>
    new Promise((onSuccess, onFailure) => {
      const opened = new Paho.Client(url, name);
      opened.onMessageArrived = onMessage;
      opened.connect({ userName: username, password, cleanSession, onSuccess: () => onSuccess(opened), onFailure });
    });
  const subscribe = (who, filter, qos) => new Promise((onSuccess, onFailure) => who.subscribe(filter, { qos, onSuccess, onFailure }));
  const delivered = (who) => new Promise((resolve) => (who.onMessageDelivered = resolve));
  const say = async (who, topic, payload, qos, retain) => {
    const done = delivered(who);
    who.send(topic, payload, qos, retain);
    await done;
  };
  const collect = (count) => {
    const messages = [];
    let finish;
    const all = new Promise((resolve) => (finish = resolve));
    return { all, take: (message) => messages.push(message) === count && finish(messages) };
  };
  const { all, take } = collect(4);
  const ada = await open("ada", true, take);
  for (const qos of [0, 1, 2]) await say(ada, KEPT, `kept ${qos}`, qos, true);
  await subscribe(ada, "plain/#", 2);
  for (const qos of [0, 1, 2]) await say(ada, SAID, `said ${qos}`, qos, false);
  for (const { destinationName, payloadString, qos, retained } of await all) {
    print(destinationName, payloadString.replace(/ \d$/, ""), { qos, retain: retained });
  }
  const first = await open("bo", false, () => {});
  await subscribe(first, SAID, 1);
  first.disconnect();
  await say(ada, SAID, "meanwhile", 1, false);
  const later = collect(1);
  await open("bo", false, later.take);
  const [{ destinationName, payloadString, qos }] = await later.all;
  console.log(`back: ${destinationName} ${payloadString} ${qos}`);
  end();
}

await (client === "paho" ? paho() : mqttJs(Number(rest[0])));
