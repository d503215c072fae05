import type { TimeWords } from './words.js';

export const FRENCH: TimeWords = {
  days: `avant(?:-|_)hier hier aujourd['’]hui|ce_matin|ce_soir|cet(?:te)?_apres-midi demain apres-demain / (?:la_)?nuit_derniere cette_nuit / (?:au_|dans_la_)?(?:matin|matinee|midi|soir|soiree|apres-midi|nuit)`,
  which: `avant-dernie(?:re|r) dernie(?:re|r)|passee? ce|cet|cette prochaine? / derniere?s passee?s /  / prochaine?s`,
  units: `heure jour|journee semaine week-?end mois (?!) trimestre an|annee / heures jours semaines week-?ends mois (?!) trimestres ans|annees`,
  numbers: `une? deux trois quatre cinq six sept huit neuf dix|une_dizaine_de onze douze|une_douzaine_de treize quatorze quinze|une_quinzaine_de seize dix-sept dix-huit dix-neuf vingt / quelques plusieurs / premiere? deuxieme|seconde? troisieme quatrieme / premier /  / et_demie?`,
  counted: '(?:il_)?y_a /  / dans / environ',
  weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  months: 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  seasons: 'printemps ete automne hiver',
  feasts: `(?:(?:a|pour|a_la)_)?noel (?:(?:a|pour)_)?la_saint-sylvestre|(?:au_)?reveillon (?:au|le)_(?:jour_de_l['’]|nouvel_)an (?:(?:a|pour)_)?paques`,
  signs: `en au pour pendant durant courant / ce pour de du / de du d['’] au_mois_de au_cours_de / le la les l['’] ces / chaque le les tous_les un quelque / chaque tous_les toutes_les`,
  dates: 'er e /  /  / le',
  ranges: "du de entre / au a jusqu['’]au / et / entre",
  parts:
    '(?:au_)?debut mi-|milieu|au_milieu (?:a_la_|en_)?fin /  / premiere_(?:moitie|quinzaine) (?:seconde|deuxieme)_(?:moitie|quinzaine) /  / semestre',
  bounds: `depuis /  / a_partir_d[eu] des / jusqu['’]au? jusqu['’]en d['’]ici d['’]ici_a / avant / apres / vers autour_d[eu] aux_alentours_d[eu]`,
  tense: `va vais vont sera seront doit dois devons faut prevue?s? fais faisons [a-z]{2,}(?:erai|era|erons|eront) / (?:j['’])?ai avons a ont etait etaient avait ete`,
};

export const SPANISH: TimeWords = {
  days: `anteayer|antier|antes_de_ayer ayer hoy|esta_(?:manana|tarde|noche) manana pasado_manana / anoche la_noche_pasada / (?:por|a|en|de)_la_(?:manana|tarde|noche) al_mediodia noche tarde temprano / la_manana cada_manana una_manana`,
  which:
    'antepasad[oa] pasad[oa]|ultim[oa] est[ea] proxim[oa]|que_viene / ultim[oa]s pasad[oa]s / ultim[oa] / proxim[oa]s',
  units: `hora dia semana fin_de_semana|finde mes medio_ano trimestre ano / horas dias semanas fines_de_semana meses (?!) trimestres anos`,
  numbers: `una?|uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte / un[oa]s un[oa]s_(?:poc|cuant)[oa]s algun[oa]s vari[oa]s poc[oa]s un_par_de / primer[oa]? segund[oa] tercer[oa]? cuart[oa] / primero /  / y_medi[oa]`,
  counted: 'hace / atras / dentro_de / como un[oa]s casi',
  weekdays: 'lunes martes miercoles jueves viernes sabado domingo',
  months: 'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre',
  seasons: 'primavera verano otono invierno',
  feasts: `(?:en|por|para)_navidad(?:es)?|navidad (?:en|por)_nochevieja|nochevieja (?:en|por)_(?:ano_nuevo|nochevieja_y_ano_nuevo) (?:en|por)_(?:semana_santa|pascua)`,
  signs:
    'en para por durante / el del al este / de del en / el la los las / cada los todos_los un algun / cada todos_los todas_las',
  dates: '[oº°] /  /  / el / dia',
  ranges: 'del? desde entre / al? hasta / y e / entre',
  parts:
    '(?:a_)?(?:principios|comienzos|inicios) (?:a_)?mediados (?:a_)?(?:finales|fines) /  / primera_(?:mitad|quincena) segunda_(?:mitad|quincena) /  / semestre',
  bounds: `desde /  / a_partir_del? / hasta / antes_del? / despues_del? tras / alrededor_del? en_torno_al? hacia cerca_del?`,
  tense: `voy vamos va sera es hay tengo tenemos tiene tienen debo debemos hago hacemos toca / fue fui fueron hizo hice hicimos hicieron hubo dij[a-z]+ estuv[a-z]+ tuv[a-z]+ [a-z]+(?:aron|ieron|aste|iste)`,
};

export const PORTUGUESE: TimeWords = {
  days: `anteontem|antes_de_ontem ontem hoje|esta_(?:manha|tarde|noite) amanha depois_de_amanha / (?:n?a_)?noite_passada / (?:a|de|pela|da)_(?:manha|tarde|noite) cedo`,
  which:
    'retrasad[oa] passad[oa]|ultim[oa] [dn]?es[ts][ea] proxim[oa]|que_vem / ultim[oa]s passad[oa]s / ultim[oa] / proxim[oa]s',
  units: `hora dia semana (?:fim|final)_de_semana|fds mes meio_ano trimestre ano / horas dias semanas (?:fins|finais)_de_semana meses (?!) trimestres anos`,
  numbers: `uma? dois|duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte / algumas|alguns umas|uns vari[oa]s pouc[oa]s um_par_de / primeir[oa] segund[oa] terceir[oa] quart[oa] / primeiro /  / e_mei[oa]`,
  counted: 'ha faz / atras / daqui_a / cerca_de uns umas',
  weekdays: `segunda-feira terca-feira quarta-feira quinta-feira sexta-feira sabado domingo / segunda terca quarta quinta sexta`,
  months: 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  seasons: 'primavera verao outono inverno',
  feasts: `(?:no|pelo|para_o)_natal (?:n[ao]|pel[ao])_(?:passagem_de_ano|reveillon) no_ano_novo (?:na|pela)_pascoa`,
  signs: `em no na para durante / na no nesta neste da do ate para / d[eoa] ao_longo_de / [oa]s? / cada toda todo as aos todas_as uma um / cada tod[oa] todos_os todas_as`,
  dates: '[oº°] /  /  /  / dia',
  ranges: 'd[eoa] desde entre / ao? ate / e / entre',
  parts:
    'inicio|comeco (?:em_)?meados fim|final /  / primeira_(?:metade|quinzena) segunda_(?:metade|quinzena) /  / semestre',
  bounds: `desde /  / a_partir_d[eoa] / ate / antes_d[eoa] / depois_d[eoa] apos / por_volta_d[eoa] perto_d[eoa] em_torno_d[eoa]`,
  tense: `vou vamos vai sera tem temos tenho devo preciso marcad[oa] faco fazemos / foi fui foram fiz fez fizemos houve estava era [a-z]+(?:ou|aram|eram|iram|ava)`,
};

export const ITALIAN: TimeWords = {
  days: `(?:l['’])?altro_ieri|(?:l['’])?altroieri|avantieri|ieri_l['’]altro ieri oggi|stamattina|stasera|stamani domani dopo_?domani / la_notte_scorsa la_scorsa_notte stanotte / mattina pomeriggio sera notte`,
  which: `penultim[oa] scors[oa]|passat[oa]|ultim[oa] quest[oa]|quest['’] prossim[oa] / ultim[ie] scors[ie] passat[ie] / ultim[oa] / prossim[ie]`,
  units: `ora giorn(?:o|ata) settimana fine_settimana|week-?end mese mezz[oa]_anno trimestre anno / ore giorni settimane (?!) mesi (?!) trimestri anni`,
  numbers: `un(?:[oa]|['’])? due tre quattro cinque sei sette otto nove dieci|una_decina_di undici dodici tredici quattordici quindici|una_quindicina_di sedici diciassette diciotto diciannove venti / alcun[ei] qualche divers[ei] un_paio_di poch[ie] / prim[oa] second[oa] terz[oa] quart[oa] / primo /  / e_mezz[oa]`,
  counted: ' / fa or_sono / tra fra / circa',
  weekdays: 'lunedi martedi mercoledi giovedi venerdi sabato domenica',
  months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  seasons: 'primavera estate autunno inverno',
  feasts: `(?:a|per|di)_natale (?:a|per)_(?:capodanno|san_silvestro) (?:il|a)_primo_dell['’]anno (?:a|per|di)_pasqua`,
  signs: `in a ad all['’] alla nel nella nell['’] per durante / di entro per nel in lo / di del dell['’] della d['’] / il la lo l['’] i gli le / ogni il la di un una tutti_i tutte_le al / ogni tutti_i tutte_le`,
  dates: '[oº°] /  /  / il / giorno',
  ranges: "dal dall['’] da tra fra / al all['’] a / e ed / tra fra",
  parts: 'inizio meta fine /  / prima_meta seconda_meta /  / semestre',
  bounds: `da / dal dall['’] dalla / a_partire_dal? / fino_al? fino_alla fino_all['’] entro / prima_di prima_del prima_dell['’] prima_della / dopo / verso intorno_al? attorno_al?`,
  tense:
    'sara saranno faro faremo devo dobbiamo devi faccio facciamo fa / ho hai ha abbiamo hanno era erano stat[oaie]',
};
