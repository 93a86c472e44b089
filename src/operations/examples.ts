// Shared by the examples of the operations. Tests build the server, the members and the image from it.

export const EXAMPLE_GUILD_ID = '876543210987654321';
export const EXAMPLE_ROLE_ID = '765432109876543210';
/** The holders of the role. */
export const EXAMPLE_MEMBER_IDS: readonly string[] = ['123456789012345678', '234567890123456789'];
export const EXAMPLE_IMAGE_URL = 'https://cdn.discordapp.com/embed/avatars/0.png';
/** A PNG of one pixel, which examples find at that URL. */
export const EXAMPLE_IMAGE_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
