// The words that moderation bots use for an action, without dashes and underscores.
const VERBS = new Set(
  `ban unban tempban softban hackban forceban massban permban permaban idban shadowban preban silentban
   kick masskick voicekick vckick vkick softkick mute unmute tempmute permmute hardmute voicemute vcmute vmute
   unvmute timeout untimeout removetimeout warn unwarn tempwarn delwarn clearwarn clearwarns removewarn
   strike unstrike pardon punish jail unjail gag ungag silence unsilence quarantine unquarantine restrict
   unrestrict lock unlock lockdown unlockdown slowmode purge prune clear nuke deafen undeafen deaf undeaf
   disconnect note report blacklist unblacklist`.split(/\s+/),
);

export function isModerationVerb(word: string): boolean {
  return (
    VERBS.has(word) || ((word.includes('-') || word.includes('_')) && VERBS.has(word.replaceAll(/[-_]/g, '')))
  );
}

// Parts of the names that people give to commands in the seven languages.
const LASTING =
  /ban|mute|time|jail|r[oô]l|gag|silen|quarant|restrict|lock|black|deaf|block|isolat|punish|suspend|бан|мут|мьют|тайм|рол|блок|тюрьм|заглуш|muet|sourdine|castig|cargo|bloque|sperr|stumm|yasak|sustur|hapis|engel/;
const AT_ONCE = /warn|kick|варн|пред|кик|advert|avis|avert|uyar/;
const UNDOING = /^(?:un|remove|раз|снять)/;

/** True when the effect of a command lasts. A line without a command may be any command. */
export function canLast(action: string): boolean {
  return action === '' || (LASTING.test(action) && !UNDOING.test(action));
}

const ROLES = /^r[oô]l|role|rôle|temprol|рол[ьия]|cargo/;
const ROLE_WORDS = new Set(['add', 'give', 'take', 'remove', 'set', 'toggle', 'assign', 'grant', 'revoke']);

/** True when a command is about roles, so that a role word may follow it: `!role add @user @role`. */
export function isRoleCommand(command: string): boolean {
  return ROLES.test(command);
}

export function isRoleWord(word: string): boolean {
  return ROLE_WORDS.has(word);
}

/** True when a command takes effect at once, so that 7 to 17 years after its target are an age and not a time. */
export function isWarning(action: string): boolean {
  return AT_ONCE.test(action);
}
