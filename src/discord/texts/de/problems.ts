import type { ProblemTexts } from '../text.ts';

export const problems = {
  bad_request: ['Das war nicht zu verstehen.'],
  missing_field: ['Es fehlt etwas, das nötig ist.'],
  'missing_field.text': ['Der Text ist leer.', 'Gib etwas ein und führe den Befehl noch einmal aus.'],
  invalid_field: ['Eine der Optionen hat einen Wert, mit dem sich nichts anfangen lässt.'],
  'invalid_field.bitfield': ['Das ist kein Bitfeld.', 'Gib eine Zahl wie 2112 oder 0x840 ein.'],
  'invalid_field.compare': ['Das zweite Bitfeld ist keines.', 'Gib eine Zahl wie 2112 oder 0x840 ein.'],
  'invalid_field.client_id': [
    'Das ist nicht die ID einer Anwendung.',
    'Sie hat 17 bis 20 Ziffern und steht im Discord Developer Portal auf der Seite General Information.',
  ],
  'invalid_field.operations': [
    'Es ist keine Operation gewählt.',
    'Wähle Namen aus der Liste, die sich beim Tippen öffnet, mit Kommas dazwischen.',
  ],
  operation_unknown: [
    'Die Operation {name} gibt es nicht.',
    'Wähle Namen aus der Liste, die sich beim Tippen öffnet, mit Kommas dazwischen.',
  ],
  'invalid_field.permissions': ['Das sind zu viele Berechtigungen oder keine Namen von Berechtigungen.'],
  'invalid_field.format': ['Ein Sticker geht nur als reines base64.', 'Lass das Format weg.'],
  unresolved_placeholder: [
    'Das ist noch der Name einer Variable.',
    'Gib den Wert selbst ein, nicht den Platzhalter eines Bot-Baukastens.',
  ],
  unknown_permission: [
    'Es gibt keine Berechtigung mit diesem Namen.',
    'Wähle die Namen aus der Liste, die sich beim Tippen öffnet.',
  ],
  permissions_unknown: [
    'Unbekannte Berechtigung: {names}.',
    'Wähle die Namen aus der Liste, die sich beim Tippen öffnet.',
  ],
  permissions_misspelt: ['Unbekannte Berechtigung: {names}.', 'Meintest du {nearest}?'],
  permissions_are_bits: [
    'Unbekannte Berechtigung: {names}.',
    'Eine Zahl ist ein Bitfeld. `/permissions decode` macht Namen daraus.',
  ],
  discord_token_rejected: [
    'Discord hat das Token des Bots abgelehnt.',
    'Wer den Bot betreibt, muss es erneuern.',
  ],
  discord_missing_access: [
    'Der Bot kann diesen Server oder diesen Kanal nicht sehen.',
    'Prüfe, ob der Bot auf dem Server ist und den Kanal sehen darf.',
  ],
  not_found: ['Das gibt es hier nicht.'],
  unknown_guild: ['Discord kennt diesen Server nicht, oder der Bot ist nicht darauf.'],
  unknown_role: ['Diese Rolle gibt es auf diesem Server nicht.', 'Vielleicht wurde sie gelöscht.'],
  unknown_channel: ['Diesen Kanal gibt es auf diesem Server nicht.', 'Vielleicht wurde er gelöscht.'],
  unknown_member: ['Dieses Mitglied gibt es auf diesem Server nicht.', 'Vielleicht hat es ihn verlassen.'],
  body_too_large: ['Das ist zu groß.', 'Nimm eine kleinere Datei.'],
  text_too_long: ['Der Text ist zu lang.', 'Teile ihn und schicke ihn in Stücken.'],
  unsupported_media_type: ['Diese Art von Datei lässt sich nicht lesen.'],
  image_url_invalid: [
    'Die Adresse des Bildes lässt sich nicht verwenden.',
    'Sie muss mit http:// oder https:// beginnen und höchstens 2.048 Zeichen haben.',
  ],
  image_address_not_allowed: ['Diese Adresse ist nicht im öffentlichen Internet.'],
  image_not_an_image: [
    'Hier ist kein Bild, das Discord anzeigen kann.',
    'PNG, JPEG, WebP, GIF und AVIF gehen. Die Adresse muss zur Datei selbst führen, nicht zu einer Seite, die sie zeigt.',
  ],
  image_is_page: ['Das ist die Adresse einer Webseite.', 'Nimm die Adresse des Bildes selbst.'],
  image_svg_refused: ['SVG-Bilder gehen nicht.', 'Auch Discord zeigt sie nicht an. Wandle es in PNG um.'],
  image_too_large: ['Das Bild ist größer als 8 MiB.', 'Nimm ein kleineres.'],
  image_too_many_pixels: [
    'Das Bild hat zu viele Pixel.',
    'Höchstens 50 Megapixel und 16.384 Pixel auf einer Seite.',
  ],
  image_cannot_fit: [
    'Das Bild ließ sich nicht passend machen.',
    'Vielleicht ist es beschädigt oder zu groß. Verkleinere es selbst und versuche es noch einmal.',
  ],
  image_no_fitting: ['Dieser Bot kann Bilder nicht ändern.', 'Lass weg, wofür das Bild ist.'],
  too_many_chunks: ['Der Text ergibt zu viele Stücke.', 'Wähle eine größere Grenze.'],
  limit_too_small: ['Die Grenze lässt zu wenig Platz für den Text.', 'Wähle eine größere Grenze.'],
  rate_limited: ['Du hast in der letzten Minute sehr oft Befehle benutzt.'],
  token_attempts: ['Discord hat zu viele Anfragen zu diesem Server abgelehnt.'],
  discord_rate_limited: ['Discord bittet den Bot zu warten.'],
  internal: ['Bei uns ist etwas schiefgegangen.', 'Versuche es gleich noch einmal.'],
  image_fetch_failed: [
    'Das Bild ließ sich nicht holen.',
    'Prüfe, ob sich die Adresse in einem Browser öffnet.',
  ],
  discord_unavailable: ['Discord antwortet gerade nicht richtig.', 'Versuche es gleich noch einmal.'],
  busy: ['Der Dienst ist gerade ausgelastet.'],
  storage_unavailable: ['Der Speicher des Dienstes antwortet gerade nicht.'],
  change_unknown: [
    'Es ist unklar, ob die Änderung gespeichert wurde.',
    'Sieh nach, was da ist, bevor du es noch einmal versuchst.',
  ],
  member_list_unavailable: ['Die Mitgliederliste dieses Servers ist nicht verfügbar.'],
  members_off: ['Der Bot ist nicht mit Discord verbunden und hat deshalb keine Mitgliederlisten.'],
  members_intent_off: [
    'Der Bot darf keine Mitgliederlisten lesen: Sein Server Members Intent ist aus.',
    'Wer den Bot betreibt, kann ihn im Discord Developer Portal einschalten.',
  ],
  members_not_in_guild: ['Der Bot ist nicht auf diesem Server.', 'Füge ihn zuerst hinzu.'],
  members_connecting: ['Der Bot verbindet sich gerade mit Discord und hat noch keine Mitgliederlisten.'],
  members_doubtful: [
    'Die Verbindung zu Discord war unterbrochen, die Mitgliederliste kann also veraltet sein.',
    'Sie wird gerade geprüft.',
  ],
  members_loading: ['Die Mitgliederliste wird noch geladen: {rows} von {total} Mitgliedern.'],
  members_ended: [
    'Der Bot hat die Verbindung zu Discord verloren und verbindet sich nicht neu.',
    'Wer den Bot betreibt, findet den Grund im Log.',
  ],
  discord_paused: ['Anfragen an Discord pausieren, weil Discord zu viele davon abgelehnt hat.'],
  shutting_down: ['Der Dienst startet gerade neu.'],
  image_timeout: [
    'Das Bild kam nicht rechtzeitig an.',
    'Versuche es noch einmal oder nimm eine andere Adresse.',
  ],
  discord_timeout: ['Discord hat nicht rechtzeitig geantwortet.', 'Versuche es gleich noch einmal.'],

  unknown_command: [
    'Dieser Befehl hat sich geändert.',
    'Discord braucht einen Moment, bis der neue zu sehen ist. Versuche es in einer Minute noch einmal.',
  ],
  unknown_component: [
    'Dieser Knopf gehört zu einer älteren Version des Bots.',
    'Führe den Befehl noch einmal aus.',
  ],
  not_yours: [
    'Das wurde für jemand anderen erstellt.',
    'Führe den Befehl selbst aus, dann bekommst du dein eigenes.',
  ],
  guild_only: ['Das geht nur auf einem Server.', 'Benutze es in einem Kanal deines Servers.'],
  permission_needed: [
    'Dafür brauchst du die Berechtigung „{permission}“.',
    'Frag einen Admin dieses Servers.',
  ],
  undelivered: [
    'Discord hat die Antwort nicht angenommen.',
    'Führe den Befehl noch einmal aus, vielleicht mit einer kleineren Eingabe.',
  ],
  bot_not_in_guild: [
    'Der Bot selbst ist nicht auf diesem Server, nur seine Befehle.',
    '[Füge den Bot hinzu]({invite}) und versuche es dann noch einmal. Ein Schlüssel ohne den Bot würde nicht funktionieren.',
  ],
  file_too_large: ['Die Datei ist größer als {bytes} Bytes.', 'Nimm eine kleinere.'],
  file_unavailable: ['Discord hat die Datei nicht herausgegeben.', 'Hänge sie noch einmal an.'],
  file_not_text: [
    'Die Datei ist kein Text in UTF-8.',
    'Speichere sie als UTF-8 und hänge sie noch einmal an.',
  ],
  answer_too_large: [
    'Die Antwort ist größer als die {mib} MiB, die Discord hier annimmt.',
    'Die HTTP-API gibt sie ganz aus.',
  ],
  message_without_text: ['In dieser Nachricht ist kein Text.'],
  may_not_speak: [
    'Du kannst das hier nicht zeigen.',
    'Du brauchst die Berechtigung, in diesem Kanal Nachrichten zu senden, und bei einer Datei auch, Dateien anzuhängen.',
  ],
  line_forgotten: ['Der Bot hat diese Zeile nicht mehr.', 'Führe den Befehl noch einmal aus.'],
  split_both: ['Es gibt einen Text und eine Datei.', 'Nimm nur eines davon.'],
  split_nothing: ['Es gibt nichts aufzuteilen: Der Text ist leer.'],
  image_missing: ['Es gibt kein Bild.', 'Hänge eine Datei an oder gib eine Adresse ein.'],
  image_both: ['Es gibt eine Datei und eine Adresse.', 'Nimm nur eines davon.'],
  message_without_image: ['In dieser Nachricht ist kein Bild.'],
  key_not_shown: [
    'Discord hat den Schlüssel nicht gezeigt, deshalb wurde er widerrufen.',
    'Sonst hat sich nichts geändert. Führe den Befehl noch einmal aus.',
  ],
  key_not_shown_nor_revoked: [
    'Discord hat den Schlüssel nicht gezeigt, und er ließ sich auch nicht widerrufen.',
    'Widerrufe {part}, wenn der Speicher wieder antwortet. Niemand hat den Schlüssel gesehen.',
  ],
  key_not_found: [
    'Auf diesem Server gibt es keinen Schlüssel {name}.',
    'Wähle einen aus der Liste, die sich beim Tippen öffnet.',
  ],
  key_ambiguous: [
    'Mehrere Schlüssel heißen {name}.',
    'Wähle einen aus der Liste, die sich beim Tippen öffnet.',
  ],
  key_name_taken: [
    'Dieser Server hat schon einen Schlüssel namens {name}.',
    'Wähle einen anderen Namen oder erneuere diesen Schlüssel.',
  ],
  key_name_invalid: ['Der Name eines Schlüssels hat 1 bis {max} sichtbare Zeichen.'],
  keys_full: ['Dieser Server hat schon {max} Schlüssel.', 'Widerrufe einen, der nicht mehr benutzt wird.'],
  key_replaced: ['Dieser Schlüssel wurde schon ersetzt.', 'Erneuere den neueren Schlüssel desselben Namens.'],
  key_ended: ['Dieser Schlüssel gilt nicht mehr.', 'Erstelle einen neuen.'],
  key_ends_older: [
    'Das würde den älteren Schlüssel {part} beenden, der noch bis {until} (UTC) gelten soll.',
    'Warte so lange, oder fang von vorn an und bestätige es.',
  ],
} as const satisfies ProblemTexts;
