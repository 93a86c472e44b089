import { ButtonStyle, ComponentType } from 'discord-api-types/v10';

import { clip } from '../../../src/discord/messages/markdown.ts';
import type { SimulatedMessage } from '../../simulator/simulated-message.ts';

/** A component as far as a person wants to read it. */
interface Part {
  readonly type: ComponentType;
  readonly accent_color?: number;
  readonly content?: string;
  readonly style?: ButtonStyle;
  readonly label?: string;
  readonly url?: string;
  readonly custom_id?: string;
  readonly placeholder?: string;
  readonly file?: { readonly url: string };
  readonly components?: readonly Part[];
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

/** Longer lines say nothing more. */
const LINE_LENGTH_MAX = 160;

/** The final payload of a message as an outline, with what differs from run to run masked. */
export function payloadText(message: SimulatedMessage): string {
  const kind = [
    message.isEphemeral ? 'ephemeral' : 'public',
    message.isComponentsV2 ? 'components v2' : 'plain content',
  ];
  const lines = [
    `(${kind.join(', ')})`,
    ...indent(message.content === '' ? [] : message.content.split('\n'), '| '),
    ...(message.components as unknown as readonly Part[]).flatMap((part) => partLines(part)),
    ...message.files.map(
      ({ name, contentType, bytes }) => `Attachment ${name} (${contentType}, ${bytes.length} bytes)`,
    ),
  ];
  return mask(lines.map((line) => clip(line, LINE_LENGTH_MAX)).join('\n'));
}

function partLines(part: Part): string[] {
  const children = (part.components ?? []).flatMap((child) => partLines(child));
  switch (part.type) {
    case ComponentType.TextDisplay:
      return ['Text', ...indent((part.content ?? '').split('\n'), '| ')];
    case ComponentType.Container:
      return [`Container #${(part.accent_color ?? 0).toString(16)}`, ...indent(children, '  ')];
    case ComponentType.ActionRow:
      return ['Row', ...indent(children, '  ')];
    case ComponentType.Button:
      return [
        `Button ${ButtonStyle[part.style ?? ButtonStyle.Primary]} "${part.label}" ${part.url ?? part.custom_id}`,
      ];
    case ComponentType.StringSelect:
      return [
        `Select "${part.placeholder}" ${part.custom_id}`,
        ...(part.options ?? []).map(({ label, value }) => `  ${label} = ${value}`),
      ];
    case ComponentType.File:
      return [`File ${part.file?.url}`];
    default:
      return [ComponentType[part.type], ...indent(children, '  ')];
  }
}

function indent(lines: readonly string[], by: string): string[] {
  return lines.map((line) => `${by}${line}`.trimEnd());
}

/** Keys, their ids, instants, and the ids that the simulated Discord made up. */
function mask(text: string): string {
  return text
    .replaceAll(/qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}/g, 'KEY')
    .replaceAll(/qm_[0-9A-Za-z]{16}/g, 'PUBLIC_PART')
    .replaceAll(/(key-[a-z-]+\|\d+\|)[0-9A-Za-z]{5}$/gm, '$1KEY_ID')
    .replaceAll(/<t:\d+:/g, '<t:INSTANT:')
    .replaceAll(/(<\/[^:>]+:)\d+(>|…)/g, '$1ID$2')
    .replaceAll(/(json\|\d+\|)[0-9a-f-]{36}/g, '$1LINE')
    .replaceAll(/client_id=\d+/g, 'client_id=ID')
    .replaceAll(/\d\d-\d\d( +)\d\d-\d\d/g, 'MM-DD$1MM-DD')
    .replaceAll(/(usage\.png .*) \d+ bytes/g, '$1 some bytes');
}
