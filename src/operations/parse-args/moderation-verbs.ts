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
