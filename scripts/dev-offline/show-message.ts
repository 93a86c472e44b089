import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { ComponentType } from 'discord-api-types/v10';

import type { SimulatedGuild } from '../../test/simulator/guild-model.ts';
import type { SimulatedMessage } from '../../test/simulator/simulated-message.ts';

/** Only the fields of a component that are read here. */
interface Part {
  readonly type?: number;
  readonly content?: string;
  readonly label?: string;
  readonly url?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly components?: readonly Part[];
  readonly accessory?: Part;
  readonly options?: readonly { readonly label: string }[];
}

/** A message as text: what a user of the server would see of it. Its files are saved. */
export function showMessage(message: SimulatedMessage, guild: SimulatedGuild): string {
  if (message.isDeleted) return '(the message is gone)';
  const lines = [message.isEphemeral ? '(only you can see this)' : '(everybody can see this)'];
  const parts = message.components as readonly Part[];
  lines.push(
    ...[message.content, ...parts.flatMap(showPart)].filter(Boolean).map((each) => asShown(each, guild)),
  );
  for (const { name, bytes } of message.files) {
    const path = join(folderOfFiles(), basename(name));
    writeFileSync(path, bytes);
    lines.push(`[file ${name}, ${bytes.length.toLocaleString('en')} bytes, saved as ${path}]`);
  }
  return lines.join('\n');
}

const folders: string[] = [];

/** A new one each time, so that nothing of somebody's is written over. All are gone when the program ends. */
function folderOfFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-offline-'));
  if (folders.length === 0) process.once('exit', removeFolders);
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Mentions, commands and instants as Discord shows them, but not in code, which every second back-tick ends. */
function asShown(markdown: string, guild: SimulatedGuild): string {
  return markdown
    .split('`')
    .map((part, at) => (at % 2 === 0 ? withNames(part, guild) : part))
    .join('`');
}

function withNames(text: string, { members, roles }: SimulatedGuild): string {
  return text
    .replaceAll(/<(\/[^:<>]+):\d+>/g, '$1')
    .replaceAll(/<t:(\d+)(?::[A-Za-z])?>/g, (_, seconds: string) =>
      new Date(Number(seconds) * 1_000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
    )
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) => `@${members.get(id)?.username ?? 'unknown-user'}`)
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${roles.get(id)?.name ?? 'deleted-role'}`);
}

function showPart(part: Part): string[] {
  switch (part.type) {
    case ComponentType.TextDisplay:
      return [part.content ?? ''];
    case ComponentType.Separator:
      return ['─'.repeat(30)];
    case ComponentType.ActionRow:
      return [(part.components ?? []).flatMap((inner) => showPart(inner)).join(' ')];
    case ComponentType.Button:
      return [
        `[ ${part.label ?? ''}${part.url === undefined ? '' : ` → ${part.url}`}${part.disabled === true ? ' (off)' : ''} ]`,
      ];
    case ComponentType.StringSelect:
      return [`[ ${part.placeholder ?? ''}: ${(part.options ?? []).map(({ label }) => label).join(' | ')} ]`];
    case ComponentType.Container:
    case ComponentType.Section:
      return [...(part.components ?? []), ...(part.accessory === undefined ? [] : [part.accessory])].flatMap(
        (inner) => showPart(inner),
      );
    default:
      return [];
  }
}
