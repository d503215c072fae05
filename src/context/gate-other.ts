import { wordList } from '../language/tokens.js';
import type { ActionHit } from './gate-text.js';

/**
 * Verbs that order a repair or technical work, in languages other than English and Chinese, in the forms of an order. They
 * have no accents, because the gate removes accents from a text. A `*` stands for any ending.
 */
const FIXES = words(`
  исправ* почин* отлад* реализу* задепло* разверни* рефактор* oprav* napraw* wdroz* zaimplement* nasad*
  behebe behebt beheben repariere debugge implementier* deploye refaktorier* corrige corrigez corriger repare reparez deploie
  deployez implemente implementez arregla arreglar corrige corregir corrija corrijas conserta conserte implementa implementar
  despliega despliegue correggi ripara implementa duzelt* hatayi`);
const CHANGES = words(`
  добав* созда* измени* обнови* удали* сделаи* настрои* запусти* провер* перенеси* перепиши* убери* замени* установи* переимену*
  допиши* доделаи* посмотри* почитаи* поправ* pridej* pridat vytvor* uprav* smaz* odstran* udelej* udelat nastav* presun* spust*
  zmen* zkontroluj* nainstaluj* modifik* odsad* prepis* dodaj* utworz* usun zmien zaktualizuj* uruchom* sprawdz* dopln*
  erstelle erstellt erstellen andere andern losche loschen aktualisier* installier* konfigurier* prufe prufen starte verschiebe fuge
  uberarbeite ersetze entferne baue schreib* ajoute ajoutez ajouter cree creez creer modifie modifiez modifier supprime supprimez supprimer
  installe installez configure configurez verifie verifiez verifier remplace remplacez lance renomme deplace
  anade anadir agrega agregar crea crear modifica modificar elimina eliminar borra actualiza actualizar instala instalar configura
  configurar revisa revisar verifica verificar cambia cambiar ejecuta ejecutar quita haz mueve
  resuelve resolver resolva resolve
  adicione adiciona adicionar crie criar altere alterar remova remover atualize atualizar instale verifique mude mudar
  execute aplique aplicar aggiungi rimuovi aggiorna installa esegui cambia sposta
  tambahkan perbaiki buatkan ubah hapus periksa jalankan cek ekle* olustur* guncelle* degistir* kaldir* kontrol`);
/** Korean and Japanese verbs for repair and technical work, with the ending of a request. */
const EAST_FIXES = '(?:修正|実装|デバッグ|直)し?て|수정해|고쳐|구현해|배포해';
const EAST_CHANGES =
  '(?:追加|作成|変更|更新|削除|確認|設定|移動|調査|調整|表示)(?:して|を?お願い)|作って|추가해|만들어|바꿔|변경해|삭제해|업데이트해|확인해|옮겨|넣어|설정.{0,6}도와';
const ORDERS = new RegExp(`(?<![a-zа-я])(?:${FIXES}|${CHANGES})(?![a-zа-я])|${EAST_FIXES}|${EAST_CHANGES}`, 'g');
const FIX = new RegExp(`^(?:${FIXES}|${EAST_FIXES})$`);
/** Endings of infinitives, nouns and past forms. A word with such an ending is not an order. */
const NO_ORDER = /(?:т[ьи]|ни[еяюи]|л[аио]?|[еюа]т|[aeiy]t)$/;
const NEGATED = /(?:^|[^a-zа-я])(?:не|ne|no|nao|non|nie|nicht|pas|ничего не|sin|sem|sans|ohne)(?: \w+)? $/;
/** Matches sentences that ask what, why or how. They order nothing. */
const ASKS =
  /^(?:а |a |y |e |et |und )?(?:что|как|какои|почему|зачем|где|куда|когда|кто|сколько|co|jak|jaky|jaka|proc|kde|kdy|kdo|dlaczego|gdzie|was|wie|warum|wo|wann|wer|welche|qu'est|que|quel|quelle|comment|pourquoi|ou|quand|qui|por que|porque|como|donde|cuando|quien|cual|onde|quando|quem|qual|che|cosa|come|perche|dove|nasil|neden|nerede)(?![a-zа-я])/;

/** Technical nouns in languages other than English and Chinese. */
export const OTHER_LANGUAGE_WORDS = new RegExp(
  `(?<![a-zа-я])(?:${words(`
  фаил* код* саит* страниц* кнопк* раздел* компонент* сервер* тест* баз* скрипт* переключател* лендинг* папк* команд* консол* хотке*
  запрос* таблиц* индекс* ветк* репозитори* soubor* komponent* strank* tlacitk* kod kodu navbar padding* sablon* databaz* prikaz*
  plik* stron* przycisk* datei* seite ordner schaltflache* skript* datenbank* befehl* fichier* code dossier* bouton* serveur*
  fichero* archivo* codigo* pagina* boton* servidor* carpeta* consulta* arquivo* botao pasta front frontend backend cartella
  dosya* sayfa* kodu buton*`)})(?![a-zа-я])|홈페이지|저장소|파일|코드|버튼|페이지|서버|설정|ファイル|ページ|ボタン|画面|関数`,
  'g',
);

/** Words for failures in languages other than English and Chinese. */
export const OTHER_LANGUAGE_FAILURE_WORDS =
  /(?<![a-zа-я])(?:баг[аиуов]*|не (?:работает|запускается|открывается|грузится|собирается)|падает|ломается|chyb[auy]|nefunguje|nejde|nie dziala|blad|funktioniert nicht|geht nicht|sturzt ab|ne (?:marche|fonctionne) pas|no funciona|falla|nao funciona|nao esta funcionando|non funziona|calismiyor)(?![a-zа-я])|動かない|動きません|失敗|안 ?돼|안 ?됩니다|작동하지/g;

/**
 * Complaints that a thing does not work, in languages other than English and Chinese. A complaint alone counts as a
 * request.
 */
export const OTHER_LANGUAGE_COMPLAINTS =
  /(?<![a-zа-я])(?:ne? \w+ pas bien|(?:marche|fonctionne|s'affiche|affiche|charge|ouvre) (?:pas|plus)|il y a (?:encore|toujours) un|il n'y a plus|sigue (?:saliendo|fallando|sin)|no (?:carga|abre|aparece|sale)|nao (?:carrega|abre|aparece)|не (?:показывается|обновляется|отображается|сохраняется|видно)|zeigt nichts|lad nicht|ladt nicht|startet nicht|offnet sich nicht)(?![a-zа-я])|为什么.{0,12}(?:一.{1,8}就|总是?|老是?|一直|还是)|(?<![가-힣])(?:안|못) ?(?!녕)[가-힣]{1,3}(?:어|려|네|는데|아|돼|다|음)(?![가-힣])/g;

/**
 * Finds the orders in one sentence that is neither English nor Chinese. Such languages have a verb form for orders, so an
 * order counts at any place of the sentence.
 */
export function findOtherLanguageActions(sentence: string): ActionHit[] {
  if (ASKS.test(sentence)) return [];
  const known = [...sentence.matchAll(ORDERS)].map(({ 0: word, index }): ActionHit => {
    const sure = FIX.test(word);
    const negated = NEGATED.test(sentence.slice(0, index));
    const points = negated ? 0 : sure || !NO_ORDER.test(word) ? 3 : 2;
    return { group: sure ? 'execution' : 'general', points, word, order: true, sure, negated };
  });
  return known.length > 0 ? known : unlistedOrders(sentence);
}

/** Words that may stand before the verb of an order, such as "please", "now" and "and". */
const FILLER =
  "(?:(?:пожалуиста|теперь|а|и|давай|ok|bitte|jetzt|nun|und|also|maintenant|alors|donc|et|ahora|por favor|y|agora|e|ora|s'il te plait|stp)[ ,]+)*";
/**
 * Matches a verb that is not in the lists, at a place where only the verb of an order can stand. The ending of the verb or
 * the next word shows that it is an order. `NO_VERB` removes false matches.
 */
const UNLISTED = new RegExp(
  [
    `^${FILLER}([а-я]{4,}и(?:те)?)(?= )`,
    `(?<=^|[,:.!?] )${FILLER}([a-z]{3,}(?:e|ez|s|ons))(?:-(?:le|la|les|moi|nous|toi))?(?= (?:le|la|les|l'|un|une|des|ce|cette|ces|mon|ma|mes|notre|nos|tout|toutes?|nous a) ?)`,
    `(?<=^|[,:.!?] )${FILLER}([a-z]{2,}(?:a|e|ar|er|ir|ame|eme|alo|ala))(?= (?:el|los|las|un|una|este|esta|estos|estas|mi|mis|os|as|um|uma|meu|minha|il|lo|gli|questo|questa) )`,
    `(?<=^|[,:.!?] )${FILLER}([a-z]{3,})(?= (?:mir|bitte|mal|doch|den|das|die|der|ein|eine|einen|alle|alles|unsere?|meine?) )`,
  ].join('|'),
  'g',
);
const NO_VERB = new Set(
  wordList(
    `или они если почти эти три люди мои твои свои наши ваши какие такие другие все хорошо или пусть дни часы cette quelle toute autre comme elle entre contre notre votre
     dans mais plus vers sans tous sous tres apres pres une elles nous vous ils est-ce alors depuis meme chaque quelque possible faire avons allons sommes etes avez etre les des
     para como donde cuando aunque entre sobre durante desde hasta esta este ella una tiene hace era fue que porque falta sera seria tengo solo cada toda todo mientras ante
     wir ich sie das ist sind war waren hat habe haben wird werden kann konnen soll sollen muss mussen darf gibt wie was wer wann warum diese dieser fur bei mit auf aus von nach zum zur
     aber oder wenn dass weil ob als und nur noch auch hier dort dann danke hallo brauche mochte will ware sowie uber unter zwischen gegen ohne durch wegen seit the use make add are
     create update remove delete write change move replace rename generate come have please`,
  ),
);

/**
 * Finds orders with verbs that are not in the lists: `используи другои способ`, `actualiza el readme`, `zeig mir den
 * Aufruf`.
 */
function unlistedOrders(sentence: string): ActionHit[] {
  return [...sentence.matchAll(UNLISTED), ...sentence.matchAll(KOREAN)].flatMap(([all, ...groups]): ActionHit[] => {
    const word = groups.find((group) => group !== undefined) ?? all;
    if (NO_VERB.has(word)) return [];
    return [{ group: 'general', points: 2, word, order: true, sure: false, negated: false }];
  });
}

/** Korean endings of a request. */
const KOREAN = /[가-힣]{1,8}(?:해 ?줘|어 ?줘|아 ?줘|주세요|하자|합시다|면 ?좋겠(?:어|다|습니다|네))(?:요)?(?![가-힣])/g;

function words(table: string): string {
  return wordList(table)
    .map((word) => word.replace('*', '[a-zа-я]*'))
    .join('|');
}
