import type { Language } from './registration/localisations.ts';

/** What `/permissions why` says. `{p}` is the permission, `{m}` the member, `{b}` another permission. */
interface WhyTexts {
  readonly allowed: string;
  readonly denied: string;
  readonly owner: string;
  readonly administrator: string;
  readonly role: string;
  readonly everyone_overwrite: string;
  readonly role_overwrite: string;
  readonly member_overwrite: string;
  readonly thread_private: string;
  readonly thread_locked: string;
  readonly thread_messages: string;
  readonly timeout: string;
  readonly implied: string;
  readonly not_granted: string;
  readonly roles: string;
  readonly all: string;
}

const EN: WhyTexts = {
  allowed: '{m} may use {p} here.',
  denied: '{m} may not use {p} here.',
  owner: 'They own the server, so they may do everything.',
  administrator: 'They have ADMINISTRATOR, so they may do everything.',
  role: 'Roles decide it.',
  everyone_overwrite: 'The settings of this channel for @everyone decide it.',
  role_overwrite: 'The settings of this channel for their roles decide it.',
  member_overwrite: 'The settings of this channel for this member decide it.',
  thread_private: 'The thread is private, and they are neither in it nor have MANAGE_THREADS.',
  thread_locked: 'The thread is locked, and they do not have MANAGE_THREADS.',
  thread_messages: 'It counts for nothing in threads: SEND_MESSAGES_IN_THREADS does.',
  timeout: 'They are timed out.',
  implied: 'It needs {b}, which is missing here.',
  not_granted: 'Nothing grants it: no role, and no setting of this channel.',
  roles: 'By',
  all: 'Everything they may use here',
};

const TEXTS: Readonly<Record<Language, WhyTexts>> = {
  es: {
    allowed: '{m} puede usar {p} aquí.',
    denied: '{m} no puede usar {p} aquí.',
    owner: 'Es quien posee el servidor, así que puede hacerlo todo.',
    administrator: 'Tiene ADMINISTRATOR, así que puede hacerlo todo.',
    role: 'Lo deciden los roles.',
    everyone_overwrite: 'Lo deciden los ajustes de este canal para @everyone.',
    role_overwrite: 'Lo deciden los ajustes de este canal para sus roles.',
    member_overwrite: 'Lo deciden los ajustes de este canal para este miembro.',
    thread_private: 'El hilo es privado, y no está en él ni tiene MANAGE_THREADS.',
    thread_locked: 'El hilo está bloqueado, y no tiene MANAGE_THREADS.',
    thread_messages: 'No cuenta en los hilos: cuenta SEND_MESSAGES_IN_THREADS.',
    timeout: 'Está en aislamiento temporal.',
    implied: 'Necesita {b}, que falta aquí.',
    not_granted: 'Nada lo concede: ningún rol ni ningún ajuste de este canal.',
    roles: 'Por',
    all: 'Todo lo que puede usar aquí',
  },
  'pt-BR': {
    allowed: '{m} pode usar {p} aqui.',
    denied: '{m} não pode usar {p} aqui.',
    owner: 'É quem é dono do servidor, então pode fazer tudo.',
    administrator: 'Tem ADMINISTRATOR, então pode fazer tudo.',
    role: 'Quem decide são os cargos.',
    everyone_overwrite: 'Quem decide são as configurações deste canal para @everyone.',
    role_overwrite: 'Quem decide são as configurações deste canal para os cargos do membro.',
    member_overwrite: 'Quem decide são as configurações deste canal para este membro.',
    thread_private: 'O tópico é privado, e o membro não está nele nem tem MANAGE_THREADS.',
    thread_locked: 'O tópico está trancado, e o membro não tem MANAGE_THREADS.',
    thread_messages: 'Não vale em tópicos: o que vale é SEND_MESSAGES_IN_THREADS.',
    timeout: 'Está de castigo.',
    implied: 'Precisa de {b}, que falta aqui.',
    not_granted: 'Nada concede isso: nenhum cargo e nenhuma configuração deste canal.',
    roles: 'Por',
    all: 'Tudo o que pode usar aqui',
  },
  de: {
    allowed: '{m} darf {p} hier nutzen.',
    denied: '{m} darf {p} hier nicht nutzen.',
    owner: 'Wem der Server gehört, darf alles.',
    administrator: 'Wer ADMINISTRATOR hat, darf alles.',
    role: 'Das entscheiden Rollen.',
    everyone_overwrite: 'Das entscheiden die Einstellungen dieses Kanals für @everyone.',
    role_overwrite: 'Das entscheiden die Einstellungen dieses Kanals für die Rollen des Mitglieds.',
    member_overwrite: 'Das entscheiden die Einstellungen dieses Kanals für dieses Mitglied.',
    thread_private: 'Der Thread ist privat, und das Mitglied ist weder darin noch hat es MANAGE_THREADS.',
    thread_locked: 'Der Thread ist gesperrt, und das Mitglied hat MANAGE_THREADS nicht.',
    thread_messages: 'In Threads zählt das nicht, sondern SEND_MESSAGES_IN_THREADS.',
    timeout: 'Das Mitglied ist im Timeout.',
    implied: 'Das braucht {b}, und das fehlt hier.',
    not_granted: 'Nichts erlaubt es: keine Rolle und keine Einstellung dieses Kanals.',
    roles: 'Durch',
    all: 'Alles, was hier genutzt werden darf',
  },
  fr: {
    allowed: '{m} peut utiliser {p} ici.',
    denied: '{m} ne peut pas utiliser {p} ici.',
    owner: 'C’est la personne propriétaire du serveur : elle peut tout faire.',
    administrator: 'Qui a ADMINISTRATOR peut tout faire.',
    role: 'Ce sont les rôles qui décident.',
    everyone_overwrite: 'Ce sont les réglages de ce salon pour @everyone qui décident.',
    role_overwrite: 'Ce sont les réglages de ce salon pour ses rôles qui décident.',
    member_overwrite: 'Ce sont les réglages de ce salon pour ce membre qui décident.',
    thread_private: 'Le fil est privé, et ce membre n’y est pas et n’a pas MANAGE_THREADS.',
    thread_locked: 'Le fil est verrouillé, et ce membre n’a pas MANAGE_THREADS.',
    thread_messages: 'Cela ne compte pas dans les fils : c’est SEND_MESSAGES_IN_THREADS qui compte.',
    timeout: 'Ce membre est exclu temporairement.',
    implied: 'Il faut aussi {b}, qui manque ici.',
    not_granted: 'Rien ne l’accorde : aucun rôle et aucun réglage de ce salon.',
    roles: 'Par',
    all: 'Tout ce qui est permis ici',
  },
  tr: {
    allowed: '{m} burada {p} kullanabilir.',
    denied: '{m} burada {p} kullanamaz.',
    owner: 'Sunucunun sahibi olduğu için her şeyi yapabilir.',
    administrator: 'ADMINISTRATOR yetkisi olduğu için her şeyi yapabilir.',
    role: 'Buna roller karar veriyor.',
    everyone_overwrite: 'Buna bu kanalın @everyone ayarları karar veriyor.',
    role_overwrite: 'Buna bu kanalın rollerine ait ayarları karar veriyor.',
    member_overwrite: 'Buna bu kanalın bu üyeye ait ayarları karar veriyor.',
    thread_private: 'Alt başlık özel; üye içinde değil ve MANAGE_THREADS yetkisi yok.',
    thread_locked: 'Alt başlık kilitli ve üyenin MANAGE_THREADS yetkisi yok.',
    thread_messages: 'Alt başlıklarda geçerli değil: orada SEND_MESSAGES_IN_THREADS geçerli.',
    timeout: 'Üyeye zaman aşımı uygulanmış.',
    implied: 'Bunun için {b} gerekiyor, o da burada yok.',
    not_granted: 'Bunu veren bir şey yok: ne bir rol ne de bu kanalın bir ayarı.',
    roles: 'Belirleyen',
    all: 'Burada kullanabildiği her şey',
  },
  ru: {
    allowed: '{m} может использовать здесь {p}.',
    denied: '{m} не может использовать здесь {p}.',
    owner: 'Это владелец сервера, ему можно всё.',
    administrator: 'С правом ADMINISTRATOR можно всё.',
    role: 'Это решают роли.',
    everyone_overwrite: 'Это решают настройки канала для @everyone.',
    role_overwrite: 'Это решают настройки канала для ролей участника.',
    member_overwrite: 'Это решают настройки канала для этого участника.',
    thread_private: 'Ветка приватная, участника в ней нет, и права MANAGE_THREADS у него нет.',
    thread_locked: 'Ветка закрыта, а права MANAGE_THREADS у участника нет.',
    thread_messages: 'В ветках это право не действует: там действует SEND_MESSAGES_IN_THREADS.',
    timeout: 'Участник в тайм-ауте.',
    implied: 'Для этого нужно {b}, а его здесь нет.',
    not_granted: 'Этого ничто не даёт: ни роль, ни настройки канала.',
    roles: 'Решает',
    all: 'Всё, что можно использовать здесь',
  },
};

/** @param locale as Discord names it; English for all that we do not speak */
export function whyTexts(locale: string): WhyTexts {
  return Object.entries(TEXTS).find(([language]) => locale.startsWith(language))?.[1] ?? EN;
}
