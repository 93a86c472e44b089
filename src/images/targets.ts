import type { ImageHeader, ImageMimeType } from './formats/image-header.ts';

/** Discord's limits for one use of an image. null where its documents give none, so none is checked. */
interface ImageTarget {
  readonly types: readonly ImageMimeType[];
  readonly bytesMax: number | null;
  /** Pixels. */
  readonly sideMax: number | null;
  /** Only for animations. */
  readonly secondsMax: number | null;
  /** The largest picture that is made for it, in pixels. Discord shows none larger. */
  readonly madeSideMax: number;
  /** True to make the picture with exactly that side, with transparency around it. */
  readonly isPadded: boolean;
  /** The type of a fitted animation, or null if Discord documents no animated type. */
  readonly animatedAs: 'gif' | 'webp' | null;
}

const KIB = 1_024;

/** {@link https://docs.discord.com/developers/reference#image-data} */
const IMAGE_DATA: readonly ImageMimeType[] = ['image/png', 'image/jpeg', 'image/gif'];
const WITHOUT_LIMITS = {
  bytesMax: null,
  sideMax: null,
  secondsMax: null,
  isPadded: false,
  animatedAs: 'gif',
} as const;

export const IMAGE_TARGETS = {
  /**
   * Types: {@link https://docs.discord.com/developers/resources/emoji#emoji-object}, Emoji Formats.
   * Bytes: {@link https://docs.discord.com/developers/resources/emoji#create-guild-emoji}
   */
  emoji: {
    ...WITHOUT_LIMITS,
    types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
    bytesMax: 256 * KIB,
    madeSideMax: 128,
    animatedAs: 'webp',
  },
  /** {@link https://docs.discord.com/developers/resources/sticker#create-guild-sticker}, all of it */
  sticker: {
    types: ['image/png', 'image/gif'],
    bytesMax: 512 * KIB,
    sideMax: 320,
    secondsMax: 5,
    madeSideMax: 320,
    isPadded: true,
    animatedAs: 'gif',
  },
  /** {@link https://docs.discord.com/developers/resources/user#modify-current-user}: image data */
  avatar: { ...WITHOUT_LIMITS, types: IMAGE_DATA, madeSideMax: 1_024 },
  /** {@link https://docs.discord.com/developers/resources/user#modify-current-user}: image data */
  banner: { ...WITHOUT_LIMITS, types: IMAGE_DATA, madeSideMax: 1_920 },
  /** {@link https://docs.discord.com/developers/resources/guild#modify-guild}: PNG and JPEG, GIF where it is animated */
  icon: { ...WITHOUT_LIMITS, types: IMAGE_DATA, madeSideMax: 1_024 },
  /**
   * Types: {@link https://docs.discord.com/developers/resources/guild#create-guild-role}: image data.
   * Bytes: {@link https://support.discord.com/hc/en-us/articles/4409571023639-Role-Icons-FAQ}
   * Not animated: {@link https://docs.discord.com/developers/reference#image-formatting-cdn-endpoints}
   */
  role_icon: {
    ...WITHOUT_LIMITS,
    types: IMAGE_DATA,
    bytesMax: 256 * KIB,
    madeSideMax: 64,
    animatedAs: null,
  },
  /** {@link https://docs.discord.com/developers/resources/guild#modify-guild}: PNG and JPEG */
  splash: {
    ...WITHOUT_LIMITS,
    types: ['image/png', 'image/jpeg'],
    madeSideMax: 1_920,
    animatedAs: null,
  },
} as const satisfies Record<string, ImageTarget>;

export type ImageTargetName = keyof typeof IMAGE_TARGETS;

/** One limit that an image breaks. */
export interface ImageProblem {
  readonly kind: 'type' | 'bytes' | 'width' | 'height' | 'seconds';
  /** For `type`: the types that Discord accepts, separated by commas. */
  readonly limit: number | string;
  readonly value: number | string;
}

/** Lists the limits in Discord's documents that an image breaks. */
export function judgeImage(
  image: ImageHeader & { readonly mimeType: ImageMimeType; readonly size: number },
  name: ImageTargetName,
): ImageProblem[] {
  const { types, bytesMax, sideMax, secondsMax }: ImageTarget = IMAGE_TARGETS[name];
  const problems: ImageProblem[] = [];
  if (!types.includes(image.mimeType)) {
    problems.push({ kind: 'type', limit: types.join(', '), value: image.mimeType });
  }
  const judge = (kind: ImageProblem['kind'], limit: number | null, value: number) => {
    if (limit !== null && value > limit) problems.push({ kind, limit, value });
  };
  judge('bytes', bytesMax, image.size);
  judge('width', sideMax, image.width);
  judge('height', sideMax, image.height);
  if (image.seconds !== null) judge('seconds', secondsMax, image.seconds);
  return problems;
}
