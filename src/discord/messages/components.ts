import {
  ButtonStyle,
  ComponentType,
  SeparatorSpacingSize,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type APIFileComponent,
  type APIMediaGalleryComponent,
  type APISeparatorComponent,
  type APITextDisplayComponent,
} from 'discord-api-types/v10';

// Message components of the second version: https://discord.com/developers/docs/components/reference

/** Colours for the edge of a container. */
export const ACCENT = { neutral: 0x5865f2, good: 0x3ba55d, caution: 0xfaa61a, bad: 0xed4245 } as const;

export function text(content: string): APITextDisplayComponent {
  return { type: ComponentType.TextDisplay, content };
}

export function container(
  accent: number,
  ...components: readonly APIComponentInContainer[]
): APIContainerComponent {
  return { type: ComponentType.Container, accent_color: accent, components: [...components] };
}

export function separator(): APISeparatorComponent {
  return { type: ComponentType.Separator, divider: true, spacing: SeparatorSpacingSize.Small };
}

/** @param name of a file that is sent with the message */
export function file(name: string): APIFileComponent {
  return { type: ComponentType.File, file: { url: `attachment://${name}` } };
}

/**
 * @param name of a picture that is sent with the message
 * @param description what it shows, for people who cannot see it; at most 1,024 characters
 */
export function picture(name: string, description: string): APIMediaGalleryComponent {
  return {
    type: ComponentType.MediaGallery,
    items: [{ media: { url: `attachment://${name}` }, description }],
  };
}

export function row(
  ...components: readonly APIComponentInMessageActionRow[]
): APIActionRowComponent<APIComponentInMessageActionRow> {
  return { type: ComponentType.ActionRow, components: [...components] };
}

export function button(
  style: 'Secondary' | 'Success' | 'Danger',
  label: string,
  customId: string,
): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle[style], label, custom_id: customId };
}

export function linkButton(label: string, url: string): APIButtonComponentWithURL {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url };
}

/** The parts of the custom id of a button, a select or a form. Only the user for whom it was made may use it. */
interface CustomId {
  readonly action: string;
  /** Snowflake of that user. */
  readonly userId: string;
  readonly argument: string;
}

/** Discord's limit for a custom id. */
const CUSTOM_ID_LENGTH_MAX = 100;

export function encodeCustomId(id: CustomId): string {
  const encoded = `${id.action}|${id.userId}|${id.argument}`;
  if (encoded.length > CUSTOM_ID_LENGTH_MAX)
    throw new RangeError('The custom id is longer than Discord takes.');
  return encoded;
}

/** Returns null for ids that this program did not make. */
export function decodeCustomId(encoded: string): CustomId | null {
  const match = /^([a-z-]+)\|(\d{1,20})\|(.*)$/s.exec(encoded);
  if (match === null) return null;
  const [, action = '', userId = '', argument = ''] = match;
  return { action, userId, argument };
}
