import { wordList } from '../language/words/word-set.js';
import type { ActionHit } from './gate-action.js';

/**
 * Orders, things and failures of the trade in other languages than English and Chinese, in the forms in which somebody
 * orders; without accents, as the gate reads a text. A `*` stands for any ending.
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
/** Korean and Japanese: the verb, and the ending that asks for it. */
const EAST_FIXES = '(?:修正|実装|デバッグ|直)し?て|수정해|고쳐|구현해|배포해';
const EAST_CHANGES =
  '(?:追加|作成|変更|更新|削除|確認|設定|移動|調査|調整|表示)(?:して|を?お願い)|作って|추가해|만들어|바꿔|변경해|삭제해|업데이트해|확인해|옮겨|넣어|설정.{0,6}도와';
const ORDERS = new RegExp(`(?<![a-zа-я])(?:${FIXES}|${CHANGES})(?![a-zа-я])|${EAST_FIXES}|${EAST_CHANGES}`, 'g');
const FIX = new RegExp(`^(?:${FIXES}|${EAST_FIXES})$`);
/** Endings of infinitives, of nouns and of what was done. */
const NO_ORDER = /(?:т[ьи]|ни[еяюи]|л[аио]?|[еюа]т|[aeiy]t)$/;
const NEGATED = /(?:^|[^a-zа-я])(?:не|ne|no|nao|non|nie|nicht|pas|ничего не|sin|sem|sans|ohne)(?: \w+)? $/;
/** Asks what, why or how something is; it orders nothing. */
const ASKS =
  /^(?:а |a |y |e |et |und )?(?:что|как|какои|почему|зачем|где|куда|когда|кто|сколько|co|jak|jaky|jaka|proc|kde|kdy|kdo|dlaczego|gdzie|was|wie|warum|wo|wann|wer|welche|qu'est|que|quel|quelle|comment|pourquoi|ou|quand|qui|por que|porque|como|donde|cuando|quien|cual|onde|quando|quem|qual|che|cosa|come|perche|dove|nasil|neden|nerede)(?![a-zа-я])/;

/** Nouns of the trade. */
export const OTHER_CUES = new RegExp(
  `(?<![a-zа-я])(?:${words(`
  фаил* код* саит* страниц* кнопк* раздел* компонент* сервер* тест* баз* скрипт* переключател* лендинг* папк* команд* консол* хотке*
  запрос* таблиц* индекс* ветк* репозитори* soubor* komponent* strank* tlacitk* kod kodu navbar padding* sablon* databaz* prikaz*
  plik* stron* przycisk* datei* seite ordner schaltflache* skript* datenbank* befehl* fichier* code dossier* bouton* serveur*
  fichero* archivo* codigo* pagina* boton* servidor* carpeta* consulta* arquivo* botao pasta front frontend backend cartella
  dosya* sayfa* kodu buton*`)})(?![a-zа-я])|홈페이지|저장소|파일|코드|버튼|페이지|서버|설정|ファイル|ページ|ボタン|画面|関数`,
  'g',
);

/** What does not work. */
export const OTHER_FAILURE =
  /(?<![a-zа-я])(?:баг[аиуов]*|не (?:работает|запускается|открывается|грузится|собирается)|падает|ломается|chyb[auy]|nefunguje|nejde|nie dziala|blad|funktioniert nicht|geht nicht|sturzt ab|ne (?:marche|fonctionne) pas|no funciona|falla|nao funciona|nao esta funcionando|non funziona|calismiyor)(?![a-zа-я])|動かない|動きません|失敗|안 ?돼|안 ?됩니다|작동하지/g;

/** Orders in one sentence. An order has its own form in these languages: it counts wherever it stands. */
export function otherActions(sentence: string): ActionHit[] {
  if (ASKS.test(sentence)) return [];
  return [...sentence.matchAll(ORDERS)].map(({ 0: word, index }): ActionHit => {
    const sure = FIX.test(word);
    const negated = NEGATED.test(sentence.slice(0, index));
    const points = negated ? 0 : sure || !NO_ORDER.test(word) ? 3 : 2;
    return { group: sure ? 'execution' : 'general', points, word, order: true, sure, negated };
  });
}

function words(table: string): string {
  return wordList(table)
    .map((word) => word.replace('*', '[a-zа-я]*'))
    .join('|');
}
