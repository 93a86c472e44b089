import type { RequiredProblem } from '../required-problem.ts';

type Sentences = readonly [error: string, hint?: string];

/**
 * What went wrong, and what the user can do about it. The first part are codes of the contract as a Discord user
 * reads them; `code.field` says more exactly what is wrong with that field. The others are problems of Discord alone,
 * and details that a code does not tell.
 */
export const problems = {
  bad_request: ['This could not be understood.'],
  missing_field: ['Something that is required is missing.'],
  'missing_field.text': ['The text is empty.', 'Type something, then run the command again.'],
  invalid_field: ['One of the options has a value that cannot be used.'],
  'invalid_field.bitfield': ['That is not a bit field.', 'Type a number such as 2112 or 0x840.'],
  'invalid_field.compare': ['The second bit field is not one.', 'Type a number such as 2112 or 0x840.'],
  'invalid_field.client_id': [
    'That is not the id of an application.',
    'It has 17 to 20 digits and is on the page General Information in the Discord developer portal.',
  ],
  'invalid_field.operations': [
    'No operation is chosen.',
    'Pick names from the list that opens while you type, with commas between them.',
  ],
  operation_unknown: [
    'There is no operation {name}.',
    'Pick names from the list that opens while you type, with commas between them.',
  ],
  'invalid_field.permissions': ['These are too many permissions, or not names of permissions.'],
  'invalid_field.format': ['A sticker can only be plain base64.', 'Leave out the format.'],
  unresolved_placeholder: [
    'This is still the name of a variable.',
    'Type the value itself, not the placeholder of a bot builder.',
  ],
  unknown_permission: [
    'There is no permission with this name.',
    'Pick the names from the list that opens while you type.',
  ],
  permissions_unknown: [
    'Unknown permission: {names}.',
    'Pick the names from the list that opens while you type.',
  ],
  permissions_misspelt: ['Unknown permission: {names}.', 'Did you mean {nearest}?'],
  permissions_are_bits: [
    'Unknown permission: {names}.',
    'A number is a bit field. `/permissions decode` turns it into names.',
  ],
  discord_token_rejected: ['Discord rejected the token of the bot.', 'The owner of the bot has to renew it.'],
  discord_missing_access: [
    'The bot cannot see this server or this channel.',
    'Check that the bot is in the server and may view the channel.',
  ],
  not_found: ['There is no such thing here.'],
  unknown_guild: ['Discord does not know this server, or the bot is not in it.'],
  unknown_role: ['This server has no such role.', 'It may have been deleted.'],
  unknown_channel: ['This server has no such channel.', 'It may have been deleted.'],
  unknown_member: ['This server has no such member.', 'They may have left.'],
  body_too_large: ['This is too large.', 'Use a smaller file.'],
  text_too_long: ['The text is too long.', 'Split it up and send it in parts.'],
  unsupported_media_type: ['This type of file cannot be read.'],
  image_url_invalid: [
    'The address of the image cannot be used.',
    'It must start with http:// or https:// and have at most 2,048 characters.',
  ],
  image_address_not_allowed: ['This address is not on the public internet.'],
  image_not_an_image: [
    'There is no image here that Discord can show.',
    'PNG, JPEG, WebP, GIF and AVIF work. The address must lead to the file itself, not to a page that shows it.',
  ],
  image_is_page: ['This is the address of a web page.', 'Use the address of the image itself.'],
  image_svg_refused: ['SVG images do not work.', 'Discord does not show them either. Convert it to PNG.'],
  image_too_large: ['The image is larger than 8 MiB.', 'Use a smaller one.'],
  image_too_many_pixels: [
    'The image has too many pixels.',
    'At most 50 megapixels, and 16,384 pixels on a side.',
  ],
  image_cannot_fit: [
    'The image could not be made to fit.',
    'It may be damaged or too large. Make it smaller yourself and try again.',
  ],
  image_no_fitting: ['This bot cannot change images.', 'Leave out what the image is for.'],
  too_many_chunks: ['The text gives too many pieces.', 'Choose a larger limit.'],
  limit_too_small: ['The limit leaves too little room for the text.', 'Choose a larger limit.'],
  rate_limited: ['You have used commands very often in the last minute.'],
  token_attempts: ['Discord has refused too many requests about this server.'],
  discord_rate_limited: ['Discord asks the bot to wait.'],
  internal: ['Something went wrong on our side.', 'Try again in a moment.'],
  image_fetch_failed: ['The image could not be fetched.', 'Check that the address opens in a browser.'],
  discord_unavailable: ['Discord does not answer properly at the moment.', 'Try again in a moment.'],
  busy: ['The service is busy.'],
  storage_unavailable: ['The storage of the service does not answer at the moment.'],
  change_unknown: [
    'It is not known whether the change was stored.',
    'Look at what is there before you try again.',
  ],
  member_list_unavailable: ['The member list of this server is not available.'],
  members_off: ['The bot is not connected to Discord, so it has no member lists.'],
  members_intent_off: [
    'The bot may not read member lists: its Server Members Intent is off.',
    'The owner of the bot can switch it on in the Discord developer portal.',
  ],
  members_not_in_guild: ['The bot is not in this server.', 'Add it to the server first.'],
  members_connecting: ['The bot is connecting to Discord and has no member lists yet.'],
  members_doubtful: [
    'The connection to Discord was interrupted, so the member list may be out of date.',
    'It is being checked.',
  ],
  members_loading: ['The member list is still loading: {rows} of {total} members.'],
  members_ended: [
    'The bot has lost its connection to Discord and does not reconnect.',
    'The owner of the bot can find the reason in the log.',
  ],
  discord_paused: ['Requests to Discord are paused because it refused too many of them.'],
  shutting_down: ['The service is restarting.'],
  image_timeout: ['The image did not arrive in time.', 'Try again, or use another address.'],
  discord_timeout: ['Discord did not answer in time.', 'Try again in a moment.'],

  unknown_command: [
    'This command has changed.',
    'Discord needs a moment to show the new one. Try again in a minute.',
  ],
  unknown_component: ['This button belongs to an older version of the bot.', 'Run the command again.'],
  not_yours: ['This was made for somebody else.', 'Run the command yourself to get your own.'],
  guild_only: ['This works only in a server.', 'Use it in a channel of your server.'],
  permission_needed: ['You need the permission {permission} for this.', 'Ask an admin of this server.'],
  undelivered: ['Discord did not accept the answer.', 'Run the command again, perhaps with a smaller input.'],
  bot_not_in_guild: [
    'The bot itself is not in this server, only its commands are.',
    '[Add the bot]({invite}), then try again. A key without the bot would stop working.',
  ],
  file_too_large: ['The file is larger than {bytes} bytes.', 'Use a smaller one.'],
  file_unavailable: ['Discord did not hand over the file.', 'Attach it again.'],
  file_not_text: ['The file is not text in UTF-8.', 'Save it as UTF-8 and attach it again.'],
  answer_too_large: [
    'The answer is larger than the {mib} MiB that Discord accepts here.',
    'The HTTP API returns all of it.',
  ],
  message_without_text: ['There is no text in this message.'],
  may_not_speak: [
    'You cannot show this here.',
    'You need permission to send messages in this channel, and to attach files if there is one.',
  ],
  line_forgotten: ['The bot no longer has this line.', 'Run the command again.'],
  split_both: ['There is a text and a file.', 'Use only one of them.'],
  split_nothing: ['There is nothing to split: the text is blank.'],
  image_missing: ['There is no image.', 'Attach a file, or give an address.'],
  image_both: ['There is a file and an address.', 'Use only one of them.'],
  message_without_image: ['There is no image in this message.'],
  key_not_shown: [
    'Discord did not show the key, so it was revoked.',
    'Nothing else has changed. Run the command again.',
  ],
  key_not_shown_nor_revoked: [
    'Discord did not show the key, and it could not be revoked either.',
    'Revoke {part} when the storage answers again. Nobody has seen the key.',
  ],
  key_not_found: [
    'There is no key {name} in this server.',
    'Pick one from the list that opens while you type.',
  ],
  key_ambiguous: ['Several keys are called {name}.', 'Pick one from the list that opens while you type.'],
  key_name_taken: [
    'This server already has a key called {name}.',
    'Choose another name, or rotate that key.',
  ],
  key_name_invalid: ['The name of a key has 1 to {max} visible characters.'],
  keys_full: ['This server already has {max} keys.', 'Revoke one that is no longer used.'],
  key_replaced: ['This key has already been replaced.', 'Rotate the newer key of the same name.'],
  key_ended: ['This key no longer works.', 'Create a new one.'],
  key_ends_older: [
    'This would end the older key {part}, which is to work until {until} (UTC).',
    'Wait until then, or start again and confirm it.',
  ],
} as const satisfies Readonly<Record<string, Sentences> & Record<RequiredProblem, Sentences>>;
