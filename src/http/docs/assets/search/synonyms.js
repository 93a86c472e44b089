// Other words for the words of the pages, in the languages of the bot. Case and marks do not matter.

/** @type {Readonly<Record<string, string>>} the words that the pages use, and others for them */
export const SYNONYMS = {
  key: 'schlussel clave llave chave cle anahtar ключ apikey password passwort contrasena senha sifre пароль',
  token: 'jeton belirtec токен',
  role: 'rolle rollen roles rol cargo cargos rang rolleri роль роли',
  member: 'mitglied mitglieder miembro miembros membro membros membre membres uye uyeler участник участники',
  user: 'benutzer nutzer usuario usuarios utilisateur utilisateurs kullanici пользователь пользователи',
  permission:
    'berechtigung berechtigungen rechte recht permiso permisos permissao permissoes autorisation droits izin izinler yetki право права разрешение разрешения',
  allowed:
    'denied forbidden verboten verweigert denegado prohibido negado proibido refuse interdit reddedildi yasak запрещено отказано',
  missing:
    'denied verweigert denegado negado refuse reddedildi отказано fehlt fehlende fehlender fehlendes fehlen falta faltan faltante manque manquante eksik отсутствует',
  error: 'fehler erro erreur hata ошибка ошибки problem problema probleme sorun проблема',
  limit: 'grenze begrenzung limite limites sinir лимит ограничение',
  server: 'guild servidor servidores serveur serveurs sunucu сервер',
  channel: 'kanal kanale canal canales canais salon salons kanali канал каналы',
  send: 'senden schicken enviar mandar envoyer gonder gondermek отправить',
  why: 'warum porque pourquoi neden nicin почему',
  write: 'schreiben escribir escrever ecrire yazmak yazamiyor писать',
  message: 'nachricht nachrichten mensaje mensajes mensagem mensagens mesaj mesaji сообщение сообщения',
  image: 'bild bilder picture photo imagen imagenes imagem imagens resim gorsel изображение картинка',
  text: 'texto texte metin текст',
  duration: 'time zeit dauer tiempo duracion tempo duracao temps duree zaman sure время срок',
  command: 'befehl befehle comando comandos commande commandes komut команда команды',
  bot: 'roboter robot бот',
  list: 'liste lista listas listes список',
  backup: 'sicherung copia respaldo copie sauvegarde yedek копия',
  size: 'grosse tamano tamanho taille boyut размер',
  large: 'gross grosse grande grandes gros buyuk большой большие',
  help: 'hilfe ayuda aide ajuda yardim помощь',
  privacy:
    'datenschutz privatsphare privacidad privacidade confidentialite gizlilik конфиденциальность приватность gdpr dsgvo',
  too: 'zu demasiado muito trop cok fazla слишком',
  long: 'lang lange langer langen largo larga largos longo longa longue uzun длинное длинный длинная длинные',
  split:
    'aufteilen teilen zerteilen dividir partir separar couper decouper diviser bol bolme bolmek parcala разделить разбить',
  timeout:
    'zeituberschreitung stummschalten auszeit silenciar castigar castigo exclusion exclure zamanasimi таймаут тайм-аут',
  mute: 'stumm silencio mutear sustur мут',
  ban: 'bann bannen sperren banear banir bannir yasakla бан забанить',
  warn: 'verwarnung verwarnen warnung advertencia advertir aviso avertissement avertir uyari uyar предупреждение',
  kick: 'rauswerfen kicken expulsar expulser кик выгнать',
  giveaway: 'sorteo sorteos verlosung gewinnspiel sorteio sorteios tirage concours cekilis розыгрыш',
  winner: 'gewinner ganador ganadores vencedor ganhador gagnant gagnants kazanan победитель',
  colour: 'color farbe cor couleur renk цвет',
  settings: 'einstellungen ajustes configuracion configuracoes parametres reglages ayarlar настройки',
};
