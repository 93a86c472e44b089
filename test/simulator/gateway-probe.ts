import { GatewayOpcodes } from 'discord-api-types/v10';
import { WebSocket } from 'ws';
import { isObject } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { Progress } from './progress.ts';
import type { Simulator } from './simulator.ts';

/** A bare WebSocket client that keeps all it gets, for what discord.js hides or never does. */
export class GatewayProbe {
  readonly received: JsonObject[] = [];
  closeCode: number | null = null;
  readonly #progress = new Progress();
  readonly #socket: WebSocket;

  constructor(discord: Simulator, query = '?v=10&encoding=json') {
    this.#socket = new WebSocket(discord.apiUrl.replace('http', 'ws').replace('/api', `/${query}`));
    this.#socket.on('message', (data: Buffer) => {
      const payload: unknown = JSON.parse(data.toString('utf8'));
      if (isObject(payload)) this.received.push(payload);
      this.#progress.notify();
    });
    this.#socket.on('close', (code) => {
      this.closeCode = code;
      this.#progress.notify();
    });
    this.#socket.on('error', () => {});
  }

  /** Waits for hello and sends a payload. */
  async send(op: number, d: unknown): Promise<void> {
    await this.find((payload) => payload['op'] === GatewayOpcodes.Hello);
    this.#socket.send(JSON.stringify({ op, d }));
  }

  async sendText(text: string): Promise<void> {
    await this.find((payload) => payload['op'] === GatewayOpcodes.Hello);
    this.#socket.send(text);
  }

  identify(token: string, options: JsonObject = {}): Promise<void> {
    const properties = { os: 'test', browser: 'test', device: 'test' };
    return this.send(GatewayOpcodes.Identify, { token, properties, intents: 3, ...options });
  }

  /** The first payload that fits; waits for it. */
  async find(fits: (payload: JsonObject) => boolean): Promise<JsonObject> {
    await this.#progress.until(() => this.received.some(fits));
    return this.received.find(fits) ?? {};
  }

  /** The `d` of the first dispatch with this name; waits for it. */
  async dispatch(name: string): Promise<JsonObject> {
    const { d } = await this.find((payload) => payload['t'] === name);
    return isObject(d) ? d : {};
  }

  /** The names of the dispatches so far. */
  get names(): unknown[] {
    return this.received.filter(({ op }) => op === GatewayOpcodes.Dispatch).map(({ t }) => t);
  }

  async closed(): Promise<number> {
    await this.#progress.until(() => this.closeCode !== null);
    return this.closeCode ?? 0;
  }

  close(): void {
    this.#socket.terminate();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A probe that has identified and got READY. */
export async function connectProbe(discord: Simulator, options: JsonObject = {}): Promise<GatewayProbe> {
  const probe = new GatewayProbe(discord);
  await probe.identify(discord.bot().token, options);
  await probe.dispatch('READY');
  return probe;
}
