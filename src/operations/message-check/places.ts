/** Who sends the message: Discord takes other fields and counts of each. */
export type Sender = 'bot' | 'webhook' | 'interaction';

interface Common {
  /** Discord refuses the object without it. */
  readonly required?: true;
  /** Only these senders may use it. Default: all. */
  readonly senders?: readonly Sender[];
}

/** A string, measured in code points. */
export interface TextPlace extends Common {
  readonly type: 'text';
  readonly max: number;
  /** 1: it may not be empty. Default: an empty text is taken. */
  readonly min?: 1;
  /** White space at both ends is not counted, so that a text of nothing else is empty. */
  readonly trims?: true;
  /** An empty text means the same as none, but Discord refuses it. */
  readonly isLeftOutWhenEmpty?: true;
}

export interface UrlPlace extends Common {
  readonly type: 'url';
  readonly max: number;
  /** Besides http and https. */
  readonly schemes?: readonly ('attachment' | 'discord')[];
  /** Nothing but `attachment://` is taken. */
  readonly isFile?: true;
}

/** A whole number. */
export interface IntegerPlace extends Common {
  readonly type: 'integer';
  readonly min?: number;
  readonly max?: number;
  /** The values that Discord takes, by the names that libraries have for them. */
  readonly choices?: Readonly<Record<string, number>>;
}

export interface ObjectPlace extends Common {
  readonly type: 'object';
  /** A key of `SHAPES`. */
  readonly shape: string;
  /** People write a text where Discord wants an object with this key. */
  readonly textKey?: string;
}

export interface ListPlace extends Common {
  readonly type: 'list';
  readonly of: Place;
  readonly min?: 1;
  /** Default: what counts is the sum of all components. */
  readonly max?: number;
  /** Discord refuses an entry that is there twice. */
  readonly isUnique?: true;
}

/** Components of one of these types, of which each has a shape. */
export interface ComponentPlace extends Common {
  readonly type: 'component';
  readonly types: readonly number[];
}

export interface OtherPlace extends Common {
  readonly type:
    | 'boolean'
    | 'id'
    | 'time'
    | 'color'
    | 'emoji'
    | 'flags'
    | 'nonce'
    | 'word'
    | 'ignored'
    | 'any';
  readonly choices?: readonly string[];
}

export type Place =
  | TextPlace
  | UrlPlace
  | IntegerPlace
  | ObjectPlace
  | ListPlace
  | ComponentPlace
  | OtherPlace;

interface Shape {
  /** Its names in Discord's OpenAPI document, which has each limit below. */
  readonly schemas: readonly string[];
  readonly places: Readonly<Record<string, Place>>;
}

const text = (max: number, more: Omit<TextPlace, 'type' | 'max'> = {}): Place => ({
  type: 'text',
  max,
  ...more,
});
const url = (max: number, more: Omit<UrlPlace, 'type' | 'max'> = {}): Place => ({
  type: 'url',
  max,
  ...more,
});
const list = (max: number, of: Place, more: Omit<ListPlace, 'type' | 'max' | 'of'> = {}): Place => ({
  type: 'list',
  max,
  of,
  ...more,
});
const integer = (more: Omit<IntegerPlace, 'type'> = {}): Place => ({ type: 'integer', ...more });
const object = (shape: string, more: Omit<ObjectPlace, 'type' | 'shape'> = {}): Place => ({
  type: 'object',
  shape,
  ...more,
});
const BOOLEAN: Place = { type: 'boolean' };
const ID: Place = { type: 'id' };
const IGNORED: Place = { type: 'ignored' };
const REQUIRED = { required: true } as const;
const BY_BOT = { senders: ['bot'] } as const;
const BY_WEBHOOK = { senders: ['webhook'] } as const;
const OF_UPLOAD = { schemes: ['attachment'] } as const;

/** The numbers of components, by the names that discord-api-types has for them. */
export const COMPONENT_TYPES = {
  ActionRow: 1,
  Button: 2,
  StringSelect: 3,
  UserSelect: 5,
  RoleSelect: 6,
  MentionableSelect: 7,
  ChannelSelect: 8,
  Section: 9,
  TextDisplay: 10,
  Thumbnail: 11,
  MediaGallery: 12,
  File: 13,
  Separator: 14,
  Container: 17,
} as const;
const { ActionRow, Button, Section, TextDisplay, Thumbnail, MediaGallery, File, Separator, Container } =
  COMPONENT_TYPES;
/** Parts of modals: Discord knows them, and takes them in no message. */
export const MODAL_TYPES = [4, 18, 19, 21, 22, 23];
const TOP_TYPES = [ActionRow, Section, TextDisplay, MediaGallery, File, Separator, Container];
const INSIDE_CONTAINER = TOP_TYPES.filter((type) => type !== Container);

const BUTTON_STYLES = { Primary: 1, Secondary: 2, Success: 3, Danger: 4, Link: 5, Premium: 6 };

const ofType = (type: number): Record<string, Place> => ({
  type: integer({ ...REQUIRED, choices: { [String(type)]: type } }),
  id: integer({ min: 0 }),
});
const components = (types: readonly number[], max: number): Place =>
  list(max, { type: 'component', types }, { ...REQUIRED, min: 1 });
const custom = (more = {}): Place => text(100, { min: 1, ...more });
const selectOf = (type: number, more: Record<string, Place>): Record<string, Place> => ({
  ...ofType(type),
  custom_id: custom(REQUIRED),
  placeholder: text(150),
  min_values: integer({ min: 0, max: 25 }),
  max_values: integer({ min: 1, max: 25 }),
  disabled: BOOLEAN,
  required: BOOLEAN,
  ...more,
});
const defaultsOf = (...kinds: readonly string[]): Record<string, Place> => ({
  default_values: list(25, object(`default_${kinds.join('_')}`)),
});
const defaultOf = (...choices: readonly string[]): Record<string, Place> => ({
  id: { ...ID, ...REQUIRED },
  type: { type: 'word', choices, ...REQUIRED },
});
const media = (place: string): Place => object(place, { ...REQUIRED, textKey: 'url' });

const EMBED_IMAGE = {
  url: url(2048, OF_UPLOAD),
  width: IGNORED,
  height: IGNORED,
  placeholder: IGNORED,
  placeholder_version: IGNORED,
  is_animated: IGNORED,
  description: { type: 'any' },
} as const satisfies Record<string, Place>;

/**
 * What Discord takes in a message, by place. Where Discord's OpenAPI document has a number, this is the same one.
 * @see https://docs.discord.com/developers/resources/message#create-message
 * @see https://docs.discord.com/developers/resources/message#embed-object-embed-limits
 * @see https://docs.discord.com/developers/components/reference
 * @see https://docs.discord.com/developers/resources/webhook#execute-webhook
 * @see https://docs.discord.com/developers/resources/poll#poll-create-request-object
 */
export const SHAPES: Readonly<Record<string, Shape>> = {
  message: {
    schemas: ['MessageCreateRequest', 'IncomingWebhookRequestPartial', 'IncomingWebhookInteractionRequest'],
    places: {
      content: text(2000, { trims: true }),
      embeds: list(10, object('embed')),
      allowed_mentions: object('allowed_mentions'),
      components: { type: 'list', of: { type: 'component', types: TOP_TYPES } },
      flags: { type: 'flags' },
      attachments: list(10, object('attachment')),
      poll: object('poll'),
      tts: BOOLEAN,
      sticker_ids: list(3, ID, BY_BOT),
      message_reference: object('message_reference', BY_BOT),
      nonce: { type: 'nonce', ...BY_BOT },
      enforce_nonce: { type: 'boolean', ...BY_BOT },
      shared_client_theme: { type: 'any', ...BY_BOT },
      username: text(80, { ...BY_WEBHOOK, min: 1, isLeftOutWhenEmpty: true }),
      avatar_url: url(2048, BY_WEBHOOK),
      thread_name: text(100, BY_WEBHOOK),
      applied_tags: list(5, ID, BY_WEBHOOK),
    },
  },
  embed: {
    schemas: ['RichEmbed'],
    places: {
      title: text(256, { trims: true }),
      description: text(4096, { trims: true }),
      url: url(2048),
      color: { type: 'color' },
      timestamp: { type: 'time' },
      author: object('embed_author', { textKey: 'name' }),
      image: object('embed_image', { textKey: 'url' }),
      thumbnail: object('embed_thumbnail', { textKey: 'url' }),
      footer: object('embed_footer', { textKey: 'text' }),
      fields: list(25, object('embed_field')),
      type: IGNORED,
      provider: IGNORED,
      video: IGNORED,
    },
  },
  embed_field: {
    schemas: ['RichEmbedField'],
    places: {
      name: text(256, { ...REQUIRED, min: 1, trims: true }),
      value: text(1024, { ...REQUIRED, min: 1, trims: true }),
      inline: BOOLEAN,
    },
  },
  embed_author: {
    schemas: ['RichEmbedAuthor'],
    places: { name: text(256, { trims: true }), url: url(2048), icon_url: url(2048, OF_UPLOAD) },
  },
  embed_footer: {
    schemas: ['RichEmbedFooter'],
    places: { text: text(2048, { trims: true }), icon_url: url(2048, OF_UPLOAD) },
  },
  embed_image: { schemas: ['RichEmbedImage'], places: EMBED_IMAGE },
  embed_thumbnail: { schemas: ['RichEmbedThumbnail'], places: EMBED_IMAGE },
  allowed_mentions: {
    schemas: ['MessageAllowedMentionsRequest'],
    places: {
      parse: list(3, { type: 'word', choices: ['users', 'roles', 'everyone'] }, { isUnique: true }),
      users: list(100, ID, { isUnique: true }),
      roles: list(100, ID, { isUnique: true }),
      replied_user: BOOLEAN,
    },
  },
  message_reference: {
    schemas: ['MessageReferenceRequest'],
    places: {
      message_id: { ...ID, ...REQUIRED },
      channel_id: ID,
      guild_id: ID,
      fail_if_not_exists: BOOLEAN,
      type: integer({ choices: { Default: 0, Forward: 1 } }),
    },
  },
  attachment: {
    schemas: ['MessageAttachmentRequest'],
    places: {
      id: { ...ID, ...REQUIRED },
      filename: text(1024, { min: 1 }),
      description: text(1024),
      duration_secs: { type: 'any' },
      waveform: text(400),
      title: text(1024),
      is_spoiler: BOOLEAN,
      is_remix: BOOLEAN,
    },
  },
  poll: {
    schemas: ['PollCreateRequest'],
    places: {
      question: object('poll_question', { ...REQUIRED, textKey: 'text' }),
      answers: list(10, object('poll_answer', { textKey: 'text' }), { ...REQUIRED, min: 1 }),
      allow_multiselect: BOOLEAN,
      layout_type: integer({ choices: { Default: 1 } }),
      duration: integer({ min: 1, max: 768 }),
    },
  },
  poll_question: {
    schemas: ['PollMedia'],
    places: { text: text(300, { ...REQUIRED, min: 1 }), emoji: { type: 'any' } },
  },
  poll_answer: {
    schemas: ['PollAnswerCreateRequest'],
    places: { poll_media: object('poll_media', { ...REQUIRED, textKey: 'text' }) },
  },
  poll_media: {
    schemas: ['PollMediaCreateRequest'],
    places: { text: text(55, { min: 1 }), emoji: { type: 'emoji' } },
  },
  emoji: {
    schemas: ['ComponentEmojiForRequest', 'PollEmojiCreateRequest'],
    places: { id: ID, name: text(32), animated: BOOLEAN },
  },
  action_row: {
    schemas: ['ActionRowComponentForMessageRequest'],
    places: { ...ofType(ActionRow), components: components([Button, 3, 5, 6, 7, 8], 5) },
  },
  button: {
    schemas: ['ButtonComponentForMessageRequest'],
    places: {
      ...ofType(Button),
      custom_id: custom(),
      style: integer({ ...REQUIRED, choices: BUTTON_STYLES }),
      label: text(80),
      disabled: BOOLEAN,
      url: url(512, { schemes: ['discord'] }),
      sku_id: ID,
      emoji: { type: 'emoji' },
    },
  },
  string_select: {
    schemas: ['StringSelectComponentForMessageRequest'],
    places: selectOf(3, { options: list(25, object('select_option'), { ...REQUIRED, min: 1 }) }),
  },
  select_option: {
    schemas: ['StringSelectOptionForRequest'],
    places: {
      label: text(100, { ...REQUIRED, min: 1 }),
      value: text(100, { ...REQUIRED, min: 1 }),
      description: text(100),
      default: BOOLEAN,
      emoji: { type: 'emoji' },
    },
  },
  user_select: {
    schemas: ['UserSelectComponentForMessageRequest'],
    places: selectOf(5, defaultsOf('user')),
  },
  role_select: {
    schemas: ['RoleSelectComponentForMessageRequest'],
    places: selectOf(6, defaultsOf('role')),
  },
  mentionable_select: {
    schemas: ['MentionableSelectComponentForMessageRequest'],
    places: selectOf(7, defaultsOf('user', 'role')),
  },
  channel_select: {
    schemas: ['ChannelSelectComponentForMessageRequest'],
    places: selectOf(8, { ...defaultsOf('channel'), channel_types: { type: 'any' } }),
  },
  default_user: { schemas: ['UserSelectDefaultValue'], places: defaultOf('user') },
  default_role: { schemas: ['RoleSelectDefaultValue'], places: defaultOf('role') },
  default_user_role: { schemas: [], places: defaultOf('user', 'role') },
  default_channel: { schemas: ['ChannelSelectDefaultValue'], places: defaultOf('channel') },
  section: {
    schemas: ['SectionComponentForMessageRequest'],
    places: {
      ...ofType(Section),
      components: components([TextDisplay], 3),
      accessory: { type: 'component', types: [Button, Thumbnail], ...REQUIRED },
    },
  },
  text_display: {
    schemas: ['TextDisplayComponentForMessageRequest'],
    places: { ...ofType(TextDisplay), content: text(4000, { ...REQUIRED, min: 1 }) },
  },
  thumbnail: {
    schemas: ['ThumbnailComponentForMessageRequest'],
    places: {
      ...ofType(Thumbnail),
      media: media('media'),
      description: text(1024, { min: 1 }),
      spoiler: BOOLEAN,
    },
  },
  media_gallery: {
    schemas: ['MediaGalleryComponentForMessageRequest'],
    places: { ...ofType(MediaGallery), items: list(10, object('gallery_item'), { ...REQUIRED, min: 1 }) },
  },
  gallery_item: {
    schemas: ['MediaGalleryItemRequest'],
    places: { media: media('media'), description: text(1024, { min: 1 }), spoiler: BOOLEAN },
  },
  media: {
    schemas: ['UnfurledMediaRequest'],
    places: { url: url(2048, { ...REQUIRED, ...OF_UPLOAD }) },
  },
  file: {
    schemas: ['FileComponentForMessageRequest'],
    places: { ...ofType(File), file: media('file_media'), spoiler: BOOLEAN },
  },
  file_media: {
    schemas: ['UnfurledMediaRequestWithAttachmentReferenceRequired'],
    places: { url: url(2048, { ...REQUIRED, ...OF_UPLOAD, isFile: true }) },
  },
  separator: {
    schemas: ['SeparatorComponentForMessageRequest'],
    places: {
      ...ofType(Separator),
      spacing: integer({ choices: { Small: 1, Large: 2 } }),
      divider: BOOLEAN,
    },
  },
  container: {
    schemas: ['ContainerComponentForMessageRequest'],
    places: {
      ...ofType(Container),
      accent_color: { type: 'color' },
      components: components(INSIDE_CONTAINER, 40),
      spoiler: BOOLEAN,
    },
  },
};

/** The shape of a component, by its number. */
export const SHAPE_OF_TYPE: ReadonlyMap<number, string> = new Map([
  [1, 'action_row'],
  [2, 'button'],
  [3, 'string_select'],
  [5, 'user_select'],
  [6, 'role_select'],
  [7, 'mentionable_select'],
  [8, 'channel_select'],
  [9, 'section'],
  [10, 'text_display'],
  [11, 'thumbnail'],
  [12, 'media_gallery'],
  [13, 'file'],
  [14, 'separator'],
  [17, 'container'],
]);

export function placesOf(shape: string): Readonly<Record<string, Place>> {
  return SHAPES[shape]?.places ?? {};
}

/** Limits on a message as a whole. */
export const WHOLE = {
  embedCharactersMax: 6000,
  rowsMax: 5,
  componentsMax: 40,
  displayCharactersMax: 4000,
  /** Measured: Discord answers 500 beyond it. Each text display adds `displayOverheadBytes`. */
  displayBytesMax: 10_170,
  displayOverheadBytes: 12,
} as const;

/** @see https://docs.discord.com/developers/resources/message#message-object-message-flags */
export const FLAGS = {
  SuppressEmbeds: { bit: 4, senders: ['bot', 'webhook', 'interaction'] },
  Ephemeral: { bit: 64, senders: ['interaction'] },
  SuppressNotifications: { bit: 4096, senders: ['bot', 'webhook', 'interaction'] },
  IsVoiceMessage: { bit: 8192, senders: ['bot', 'interaction'] },
  IsComponentsV2: { bit: 32_768, senders: ['bot', 'webhook', 'interaction'] },
} as const satisfies Record<string, { readonly bit: number; readonly senders: readonly Sender[] }>;
