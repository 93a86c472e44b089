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

// Parts of command names in the seven languages.
const LASTING =
  /ban|mute|time|jail|r[oô]l|gag|silen|quarant|restrict|lock|black|deaf|block|isolat|punish|suspend|бан|мут|мьют|тайм|рол|блок|тюрьм|заглуш|muet|sourdine|castig|cargo|bloque|sperr|stumm|yasak|sustur|hapis|engel/;
const WARN_OR_KICK = /warn|kick|варн|пред|кик|advert|avis|avert|uyar/;
const UNDOING = /^(?:un|remove|раз|снять)/;

/** True when the effect of a command lasts. A line without a command may be any command. */
export function hasLastingEffect(action: string): boolean {
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

// From commands of economy bots, with their names in the other languages.
const MONEY = new Set(
  `give pay tip bet gamble dice slots buy sell deposit dep withdraw with send transfer donate rob
   dar pagar apostar comprar vender depositar retirar enviar transferir donar robar sacar doar roubar
   donner payer parier miser acheter vendre déposer retirer envoyer transférer voler
   geben zahlen bezahlen wetten setzen kaufen verkaufen einzahlen abheben senden überweisen spenden rauben
   ver öde bahis oyna al sat yatır çek gönder bağışla soy
   дать заплатить ставка поставить купить продать внести снять отправить перевести пожертвовать украсть`.split(
    /\s+/,
  ),
);

/** True when a command is about money, so that `100m` after it is a hundred million. */
export function isMoneyCommand(action: string): boolean {
  return MONEY.has(action.split(/[-_]/, 1)[0] ?? '');
}

/** True when a command warns or kicks. Neither takes a time, so 7 to 17 years after its target are an age. */
export function isWarnOrKick(action: string): boolean {
  return WARN_OR_KICK.test(action);
}
