// A person with an MQTT client only, like ARENA's clients: receives camera messages and sends one.
import { connectAsync, type MqttClient } from "mqtt";
import { HTTP } from "./realm.ts";

/** The position in a camera message. */
interface CameraPosition {
  readonly x: number;
  readonly z: number;
}

/** The parts of a camera message that are used. */
interface CameraMessage {
  readonly object_id?: string;
  readonly data?: { readonly position?: CameraPosition; readonly "arena-user"?: { readonly displayName?: string } };
}

const BROKER = "mqtt://127.0.0.1:1883";

export class MqttPerson {
  readonly #client: MqttClient;
  readonly #topics: { readonly camera: string; readonly presence: string; readonly objects: string };
  readonly #idTag: string;
  readonly #seen = new Map<string, CameraPosition[]>();
  readonly #names = new Map<string, string>();

  private constructor(client: MqttClient, scene: string, ids: { idTag: string; userClient: string }) {
    this.#client = client;
    this.#idTag = ids.idTag;
    const below = (kind: string) => `realm/s/${scene}/${kind}/${ids.userClient}/${ids.idTag}`;
    const objects = `realm/s/${scene}/o/${ids.userClient}`;
    this.#topics = { camera: below("u"), presence: below("x"), objects };
    client.on("message", (_, payload) => this.#look(JSON.parse(payload.toString())));
  }

  /** Enters as a guest. */
  static async enter(scene: string): Promise<MqttPerson> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ scene, client: "web" });
    const answer = await fetch(`${HTTP}/api/v1/token`, { method: "POST", headers, body });
    const { token, username, ids } = await answer.json();
    const client = await connectAsync(BROKER, { username, password: token, clientId: `mqtt-${ids.userid}` });
    const person = new MqttPerson(client, scene, { idTag: ids.userid, userClient: ids.userclient });
    await client.subscribeAsync(`realm/s/${scene}/+/+/+`);
    return person;
  }

  /** Enters with a token of `stoa token`. It names no person; the MQTT client id does. */
  static async enterAs(token: string, username: string, scene: string): Promise<MqttPerson> {
    const client = await connectAsync(BROKER, { username, password: token, clientId: username });
    return new MqttPerson(client, scene, { idTag: username, userClient: username });
  }

  /** The positions of a person's camera, message by message. One of the messages maps the name to the id. */
  placesOf(name: string): readonly CameraPosition[] {
    const [idTag] = [...this.#names].find(([, named]) => named === name) ?? [];
    return this.#seen.get(idTag ?? "") ?? [];
  }

  /** Sends a head like ARENA's clients. */
  async show(name: string, x: number, z: number): Promise<void> {
    const data = {
      object_type: "camera",
      position: { x, y: 1.6, z },
      rotation: { x: 0, y: 0, z: 0, w: 1 },
      "arena-user": { displayName: name },
    };
    const camera = { object_id: this.#idTag, action: "create", type: "object", data };
    await this.#client.publishAsync(this.#topics.camera, JSON.stringify(camera));
    const join = { object_id: this.#idTag, action: "join", type: "arena", dn: name };
    await this.#client.publishAsync(this.#topics.presence, JSON.stringify(join));
  }

  /** Creates an object in the scene. */
  async create(objectId: string, data: object): Promise<void> {
    const message = { object_id: objectId, action: "create", type: "object", persist: false, data };
    await this.#client.publishAsync(`${this.#topics.objects}/${objectId}`, JSON.stringify(message), { qos: 1 });
  }

  async leave(): Promise<void> {
    await this.#client.endAsync();
  }

  #look({ object_id: id = "", data }: CameraMessage): void {
    const { position, "arena-user": user } = data ?? {};
    if (user?.displayName !== undefined) this.#names.set(id, user.displayName);
    if (position !== undefined) this.#seen.set(id, [...(this.#seen.get(id) ?? []), position]);
  }
}
