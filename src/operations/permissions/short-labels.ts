/**
 * Labels of some permissions in Discord's client until 2026, by language. The client has longer labels now, but
 * servers, guides and people still use these. Bots that show permissions in their language have copied them from the
 * client, for example 0LostConnection/Arquiver `src/infra/utils/PermissionsDictionary.js` (pt-BR) and
 * sha4ek/coffebot-v1.5 `utils/translations.py` (ru). Each label of this table is in the lists of several independent
 * bots. In the settings of a channel the client calls MANAGE_ROLES "Manage Permissions", which is here in the same way.
 * English has no entry, because its short labels are Discord's own names. German has two verbs for sending, because the
 * client's label has changed.
 */
export const SHORT_LABELS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  de: {
    KICK_MEMBERS: ['Mitglieder kicken'],
    SEND_MESSAGES: ['Nachrichten senden', 'Nachrichten versenden'],
    SEND_MESSAGES_IN_THREADS: ['Nachrichten in Threads senden', 'Nachrichten in Threads versenden'],
    MANAGE_THREADS: ['Threads verwalten'],
    MANAGE_ROLES: ['Berechtigungen verwalten'],
  },
  es: {
    KICK_MEMBERS: ['Expulsar miembros'],
    SEND_MESSAGES: ['Enviar mensajes'],
    SEND_MESSAGES_IN_THREADS: ['Enviar mensajes en hilos'],
    MANAGE_THREADS: ['Gestionar hilos'],
    MANAGE_ROLES: ['Gestionar permisos'],
  },
  fr: {
    KICK_MEMBERS: ['Expulser des membres'],
    SEND_MESSAGES: ['Envoyer des messages'],
    SEND_MESSAGES_IN_THREADS: ['Envoyer des messages dans les fils'],
    MANAGE_THREADS: ['Gérer les fils'],
    MANAGE_ROLES: ['Gérer les permissions'],
  },
  'pt-BR': {
    KICK_MEMBERS: ['Expulsar membros'],
    SEND_MESSAGES: ['Enviar mensagens'],
    SEND_MESSAGES_IN_THREADS: ['Enviar mensagens em tópicos'],
    MANAGE_THREADS: ['Gerenciar tópicos'],
    MANAGE_ROLES: ['Gerenciar permissões'],
  },
  ru: {
    KICK_MEMBERS: ['Выгонять участников'],
    SEND_MESSAGES: ['Отправлять сообщения'],
    SEND_MESSAGES_IN_THREADS: ['Отправлять сообщения в ветках'],
    MANAGE_THREADS: ['Управлять ветками'],
    MANAGE_WEBHOOKS: ['Управлять вебхуками'],
    MANAGE_ROLES: ['Управлять правами', 'Управлять разрешениями'],
  },
  tr: {
    KICK_MEMBERS: ['Üyeleri At'],
    SEND_MESSAGES: ['Mesaj Gönder'],
    SEND_MESSAGES_IN_THREADS: ['Alt Başlıklarda Mesaj Gönder'],
    MANAGE_THREADS: ['Alt Başlıkları Yönet'],
    MANAGE_WEBHOOKS: ['Webhookları Yönet'],
    MANAGE_ROLES: ['İzinleri Yönet'],
  },
};
