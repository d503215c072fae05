import { pairs } from './replaced-pairs.js';

/** Contracts, lessons, doses, doors and dates in four languages: the later value replaces the earlier one. */
export const HOUSEHOLD_REPLACED = pairs(`The gate opens with PIN 4410 | The gate opens with PIN 8127
The thermostat is set to 19 degrees | The thermostat is set to 21 degrees
Piano lesson is on Wednesday at 4 pm | Piano lesson is on Friday at 4 pm
Her dentist is called Dr. Osei | Her dentist is called Dr. Fabbri
The mobile contract is with Telenor | The mobile contract is with Ice
The thesis is due on April 12 | The thesis is due on April 30
Sits in seat 14C of the orchestra | Sits in seat 9A of the orchestra
A ticket for the ferry costs 18 euros | A ticket for the ferry costs 22 euros
The kernel of the router is 5.15 | The kernel of the router is 6.1
The curtains in the nursery are yellow | The curtains in the nursery are grey
Supervisor: Prof. Adeyemi | Supervisor: Prof. Lindgren
The cat gets 0.5 ml of meloxicam | The cat gets 0.3 ml of meloxicam
The Redis instance is at 10.0.0.12 | The Redis instance is at 10.0.0.40
The newsletter goes out on Thursdays | The newsletter now goes out on Mondays
The accountant is Feldman & Sons | The accountant is Birch LLP
Die PIN der Alarmanlage ist 2290 | Die PIN der Alarmanlage ist 7781
Der Vermieter heißt Krüger | Der Vermieter heißt Demir
Die Heizung ist auf 20 Grad eingestellt | Die Heizung ist auf 18 Grad eingestellt
Der Elternabend ist am Mittwoch | Der Elternabend ist am Donnerstag
Die Zahnärztin ist Dr. Pohl | Die Zahnärztin ist Dr. Yilmaz
Der Strompreis liegt bei 31 Cent | Der Strompreis liegt bei 28 Cent
Das Abgabedatum der Hausarbeit ist der 15. Juli | Das Abgabedatum der Hausarbeit ist der 1. August
Der Hund wiegt 14 Kilo | Der Hund wiegt 16 Kilo
Der Webserver lauscht auf Port 8443 | Der Webserver lauscht auf Port 9443
Sitzt im Großraumbüro auf Platz 12 | Sitzt im Großraumbüro auf Platz 31
Der Müll wird mittwochs abgeholt | Der Müll wird freitags abgeholt
Der Handyvertrag läuft bei Vodafone | Der Handyvertrag läuft bei O2
Die Haustür ist grün | Die Haustür ist jetzt dunkelrot
Die Kita kostet 210 Euro im Monat | Die Kita kostet 235 Euro im Monat
Projektleiter ist Herr Brandl | Projektleiterin ist seit Mai Frau Seidl
Le mot de passe du wifi est tournesol | Le mot de passe du wifi est coquelicot
Le médecin traitant est le Dr Faure | Le médecin traitant est le Dr Benali
Le cours de yoga a lieu le mercredi | Le cours de yoga a lieu le samedi
La chaudière est réglée sur 19 degrés | La chaudière est réglée sur 20 degrés
L'abonnement coûte 25 euros par mois | L'abonnement coûte 32 euros par mois
Le serveur écoute sur le port 8080 | Le serveur écoute sur le port 8181
Le mémoire est à rendre le 12 juin | Le mémoire est à rendre le 30 juin
Le chat pèse 4 kilos | Le chat pèse 5 kilos
Les volets sont bleus | Les volets sont blancs
Le propriétaire s'appelle M. Roche | Le propriétaire s'appelle M. Diallo
Son bureau est au deuxième étage | Son bureau est au quatrième étage
Elle est chez SFR | Elle est passée de SFR à Free
Le train part à 7h12 | Le train part à 7h26
La version en production est la 2.4 | La version en production est la 2.5
Sa place est la 14 | Sa place est la 22
门禁密码是4410 | 门禁密码是8127
空调设定为26度 | 空调设定为24度
钢琴课在星期三 | 钢琴课在星期五
牙医是刘医生 | 牙医是何医生
宽带是电信的 | 宽带换成联通的了
论文截止日期是4月12日 | 论文截止日期是4月30日
工位在三楼 | 工位在五楼
门票价格是80元 | 门票价格是95元
路由器固件是5.1版 | 路由器固件是6.0版
窗帘是黄色的 | 窗帘是灰色的
导师是孙教授 | 导师是钱教授
每晚吃3毫克褪黑素 | 每晚吃1毫克褪黑素
数据库地址是10.0.0.12 | 数据库地址是10.0.0.40
房东姓马 | 房东姓金
开会时间是上午九点 | 开会时间改到下午两点
The alarm code for the cabin is 3391 | The alarm code for the cabin is 6054
The swim coach is Benedikt | The swim coach is Aroha
Pays 62 dollars a month for electricity | Pays 71 dollars a month for electricity
The quarterly review takes place on June 4 | The quarterly review takes place on June 11
The mailbox is red | The mailbox is white
The staging cluster runs Kubernetes 1.29 | The staging cluster runs Kubernetes 1.31
Gets 40 mg of iron a day | Gets 60 mg of iron a day
The insurer of the van is Gjensidige | The insurer of the van is Tryg
Der Zählerstand der Gasuhr ist 4410 | Der Zählerstand der Gasuhr ist 4522
Die Trainerin ist Aylin | Die Trainerin ist Greta
Der Skikurs beginnt am 4. Januar | Der Skikurs beginnt am 11. Januar
Der Briefkasten ist rot | Der Briefkasten ist weiß
Das Abo kostet 12 Euro | Das Abo kostet 15 Euro
Der Server läuft mit Debian 11 | Der Server läuft mit Debian 12
Bekommt 40 mg Eisen am Tag | Bekommt 60 mg Eisen am Tag
Das Auto ist bei der HUK versichert | Das Auto ist bei der Allianz versichert
Le code de l'alarme est 3391 | Le code de l'alarme est 6054
L'entraîneur est Bastien | L'entraîneur est Moussa
Paie 62 euros par mois d'électricité | Paie 71 euros par mois d'électricité
Le stage commence le 4 janvier | Le stage commence le 11 janvier
La boîte aux lettres est rouge | La boîte aux lettres est blanche
Le serveur tourne sous Debian 11 | Le serveur tourne sous Debian 12
Reçoit 40 mg de fer par jour | Reçoit 60 mg de fer par jour
La voiture est assurée chez Axa | La voiture est assurée chez Maif
保险柜密码是3391 | 保险柜密码是6054
教练是马东 | 教练是谢芳
每月电费62元 | 每月电费71元
培训1月4日开始 | 培训1月11日开始
信箱是红色的 | 信箱是白色的
服务器系统是Debian 11 | 服务器系统是Debian 12
每天补铁40毫克 | 每天补铁60毫克
The dog weighs 21 kg | The dog weighs 24 kg
The night train leaves at 22:05 | The night train leaves at 22:40
Her lawyer is Ms Quist | Her lawyer is Mr. Abara
The sofa is navy | The sofa is dark green
The membership ends on 31 August | The membership ends on 30 September
Studies at Leeds | Studies at Bristol
Der Zug fährt um 7:12 | Der Zug fährt um 7:26
Die Leiterin ist Frau Thoma | Der Leiter ist seit April Herr Vogt
Das Sofa ist hellgrau | Das Sofa ist dunkelblau
Die Katze bekommt 2 ml Hustensaft | Die Katze bekommt 3 ml Hustensaft
Der Mietvertrag endet am 31. August | Der Mietvertrag endet am 30. September
Ihr Anwalt ist Herr Quist | Ihr Anwalt ist Herr Abara
Le chien pèse 21 kilos | Le chien pèse 24 kilos
Le bus part à 7h10 | Le bus part à 7h40
Son avocate est Mme Quist | Son avocate est Mme Abara
Le canapé est bleu marine | Le canapé est vert foncé
Le bail se termine le 31 août | Le bail se termine le 30 septembre
L'assurance auto est chez Axa | L'assurance auto est chez Maif
在北京大学读书 | 在清华大学读书
在第一医院上班 | 在市立医院上班
律师姓郭 | 律师姓邓
沙发是深蓝色的 | 沙发是浅灰色的
航班7点10分起飞 | 航班7点40分起飞
The cook is Baptiste | The cook is Wilma
The sauna is open until 21:00 | The sauna is open until 22:00
Her lucky number is 7 | Her lucky number is 11
Die Sauna ist bis 21 Uhr offen | Die Sauna ist bis 22 Uhr offen
Arbeitet seit Mai bei Linde | Arbeitet seit Oktober bei Bosch
Le cuisinier est M. Baptiste | Le cuisinier est M. Wilmot
Le sauna est ouvert jusqu'à 21h | Le sauna est ouvert jusqu'à 22h
Son numéro fétiche est le 7 | Son numéro fétiche est le 11
厨师是阿强 | 厨师是阿珍
幸运数字是7 | 幸运数字是11
桑拿开到晚上9点 | 桑拿开到晚上10点
负责人是张伟 | 负责人是张敏
Her hairdresser is Olu | Her hairdresser is Sanna
The parcel locker code is QX-19 | The parcel locker code is ZB-72
The rehearsal starts at 6:30 pm | The rehearsal starts at 7:15 pm
The hamster eats 10 g of seeds a day | The hamster eats 12 g of seeds a day
The cabin key hangs in the kitchen | The cabin key hangs in the hallway
Die Friseurin heißt Olu | Die Friseurin heißt Sanna
Die Probe beginnt um 18:30 Uhr | Die Probe beginnt um 19:15 Uhr
Das Budget liegt bei 3000 Euro | Das Budget liegt bei 3500 Euro
Der Impfpass liegt im Schrank | Der Impfpass liegt im Safe
Die Katze frisst 80 g am Tag | Die Katze frisst 90 g am Tag
Nächster Zahnarzttermin: 4. Mai | Nächster Zahnarzttermin: 18. Mai
Sa coiffeuse est Olu | Sa coiffeuse est Sanna
La répétition commence à 18h30 | La répétition commence à 19h15
Le budget est de 3000 euros | Le budget est de 3500 euros
Le carnet de santé est dans le placard | Le carnet de santé est dans le coffre
Le chat mange 80 g par jour | Le chat mange 90 g par jour
Prochain rendez-vous chez le dentiste : le 4 mai | Prochain rendez-vous chez le dentiste : le 18 mai
理发师是小安 | 理发师是小桃
排练晚上6点半开始 | 排练晚上7点开始
预算是3000元 | 预算是3500元
护照放在抽屉里 | 护照放在保险箱里
仓鼠每天吃10克 | 仓鼠每天吃12克
下次复诊是5月4日 | 下次复诊是5月18日
The milk is kept in the cellar | The milk is kept in the fridge`);

/** The same topics without replacement: a second one, a condition, a past action, a wish. */
export const HOUSEHOLD_KEPT = pairs(`Sings in a choir | Sings in a band
Got a parking fine of 40 euros | Got a parking fine of 60 euros
The tomatoes are in the greenhouse | The basil is in the greenhouse
Her cousin is a nurse | Her cousin is a pilot
Plans to change the router to 6.1 | Plans to change the switch to 4.2
The thermostat is set to 19 degrees | Would like the thermostat at 22 degrees
Has a degree in physics | Has a degree in law
Fears heights | Fears snakes
The guest room is small | The guest room is cold
The talk on Monday is about caching | The talk on Tuesday is about queues
The mobile contract is with Telenor | The electricity contract is with Fortum
Called the plumber on March 2 | Called the plumber on March 9
Wrote chapter 3 | Wrote chapter 4
The thesis is due on April 12 | The thesis is about lichens
Has a key to the office | Has a key to the boathouse
Hat einen Führerschein | Hat einen Segelschein
Singt im Chor | Singt in einer Band
Hat 40 Euro für ein Taxi bezahlt | Hat 55 Euro für ein Taxi bezahlt
Ihre Cousine ist Ärztin | Ihre Cousine ist Anwältin
Das Wohnzimmer ist gelb gestrichen | Das Schlafzimmer ist grau gestrichen
Der Handyvertrag läuft bei Vodafone | Möchte den Handyvertrag zu O2 bringen
Mag Krimis | Mag Gedichte
Hat den Artikel über Bienen gelesen | Hat den Artikel über Wale gelesen
Der Vermieter heißt Krüger | Der Hausmeister heißt Demir
Das Gästezimmer ist klein | Das Gästezimmer ist kalt
Die Rechnung vom März beträgt 90 Euro | Die Rechnung vom April beträgt 110 Euro
Sammelt Münzen | Sammelt Postkarten
War am 3. Mai beim Friseur | War am 9. Juni beim Friseur
Der Elternabend ist am Mittwoch | Der Wandertag ist am Donnerstag
Trägt eine Brille | Trägt einen Hut
A une maison à Brest | A un bateau à Brest
Chante dans une chorale | Chante dans un groupe
A payé 40 euros de taxi | A payé 55 euros de taxi
Sa cousine est infirmière | Sa cousine est pilote
Le salon est jaune | Le couloir est gris
Le cours de yoga a lieu le mercredi | Le cours de danse a lieu le samedi
Voudrait passer chez Free | Voudrait passer à Orange
A lu le livre sur les abeilles | A lu le livre sur les baleines
La chambre d'amis est petite | La chambre d'amis est froide
La facture de mars est de 90 euros | La facture d'avril est de 110 euros
Collectionne les timbres | Collectionne les pièces
Le médecin traitant est le Dr Faure | Le dentiste est le Dr Benali
Craint les araignées | Craint les serpents
Le mémoire est à rendre le 12 juin | Le mémoire porte sur les lichens
Est allée chez le coiffeur le 3 mai | Est allée chez le coiffeur le 9 juin
在合唱团唱歌 | 在乐队唱歌
有驾照 | 有潜水证
表妹是护士 | 表妹是老师
客房很小 | 客房很冷
害怕蜘蛛 | 害怕蛇
读了第三章 | 读了第四章
钢琴课在星期三 | 舞蹈课在星期五
三月的电费是90元 | 四月的电费是110元
收藏邮票 | 收藏硬币
想把宽带换成联通 | 想把手机换成苹果
3月2日去了医院 | 3月9日去了医院
牙医是刘医生 | 眼科医生是何医生
论文截止日期是4月12日 | 论文写的是地衣
吃过越南菜 | 吃过泰国菜
打车花了40元 | 打车花了55元
Has a tattoo of a swallow | Has a tattoo of an anchor
The alarm code for the cabin is 3391 | The alarm code for the garage is 6054
Her uncle lives in Perth | Her aunt lives in Sydney
The swim coach is Benedikt | The swim coach is friendly
The quarterly review takes place on June 4 | Hopes the quarterly review will be on June 11
Watched a film about bees | Watched a film about whales
Teaches algebra | Teaches geometry
Hat ein Tattoo von einer Schwalbe | Hat ein Tattoo von einem Anker
Der Briefkasten ist rot | Das Gartentor ist weiß
Ihr Onkel wohnt in Kiel | Ihre Tante wohnt in Bonn
Die Trainerin ist Aylin | Die Trainerin ist streng
Der Skikurs beginnt am 4. Januar | Der Tanzkurs beginnt am 11. Januar
Hat einen Film über Bienen gesehen | Hat einen Film über Wale gesehen
Unterrichtet Mathematik | Unterrichtet Physik
A un tatouage d'hirondelle | A un tatouage d'ancre
La boîte aux lettres est rouge | La barrière est blanche
Son oncle habite à Brest | Sa tante habite à Dijon
L'entraîneur est Bastien | L'entraîneur est sévère
Le stage commence le 4 janvier | Aimerait que le stage commence le 11 janvier
A vu un film sur les abeilles | A vu un film sur les baleines
Enseigne l'algèbre | Enseigne la géométrie
有一个燕子纹身 | 有一个船锚纹身
信箱是红色的 | 大门是白色的
舅舅住在青岛 | 姑姑住在大连
教练是马东 | 教练很严格
培训1月4日开始 | 希望培训1月11日开始
看了一部关于蜜蜂的电影 | 看了一部关于鲸鱼的电影
教数学 | 教物理
The manager is strict | The manager is friendly
The office is noisy | The office is very cold
His wife is tired | His wife is pregnant
The cat is 4 | The dog is 6
The bus to Bergen leaves at 7:10 | The bus to Voss leaves at 7:40
Her dogs eat 300 g a day | Her cats eat 120 g a day
Der Chef ist streng | Der Chef ist nett
Das Büro ist laut | Das Büro ist sehr kalt
Seine Frau ist müde | Seine Frau ist schwanger
Ist am 3. Mai in Rom angekommen | Ist am 9. Juni in Rom angekommen
Spielt seit 2019 Schach | Spielt seit 2021 Geige
Die Miete für Mai beträgt 800 Euro | Die Miete für Juni beträgt 850 Euro
Le patron est sévère | Le patron est gentil
Le bureau est bruyant | Le bureau est très froid
Sa femme est fatiguée | Sa femme est enceinte
Est rentrée de Rome le 3 mai | Est rentrée de Rome le 9 juin
Le chat a 4 ans | Le chien a 6 ans
Son neveu s'appelle M. Roche | Son neveu s'appelle M. Petit
在公园跑步 | 在河边跑步
在食堂吃饭 | 在面馆吃饭
看了第2集 | 看了第3集
老板很严 | 老板很友善
五月的房租是800元 | 六月的房租是850元
在写小说 | 在写剧本
The boiler was serviced in May | The boiler was serviced in June
The stove is electric | The stove is dirty
Has a locker at the pool | Has a locker at the station
Der Lehrer ist krank | Der Lehrer ist jung
Wartet seit Montag auf Post | Wartet seit Freitag auf Geld
Trainiert montags in Halle 2 | Trainiert freitags in Halle 3
La chaudière est vieille | La chaudière est bruyante
Est partie à 7h10 de Lyon | Est partie à 8h20 de Lyon
Le professeur est malade | Le professeur est jeune
在阳台种花 | 在院子种菜
老师病了 | 老师很年轻
在会议室开会 | 在咖啡馆开会
The salary negotiation is with Ruth | The salary negotiation is in April
The cat is black | The cat is old
The kids eat at 6:00 | The adults eat at 7:30
Waited 20 minutes for the bus | Waited 35 minutes for the bus
The driver is late | The driver is nice
Has the keys of flat 4 | Has the keys of flat 6
Die Katze ist schwarz | Die Katze ist alt
Die Kinder essen um 18:00 | Die Erwachsenen essen um 19:30
Hat 20 Minuten auf den Bus gewartet | Hat 35 Minuten auf den Bus gewartet
Der Fahrer ist spät | Der Fahrer ist nett
Ist am Montag aus Bern zurückgekommen | Ist am Freitag aus Bern zurückgekommen
Seit Mai ist Anna krank | Seit Juni ist Paul krank
Le chat est noir | Le chat est vieux
Les enfants mangent à 18h | Les adultes mangent à 19h30
A attendu le bus 20 minutes | A attendu le bus 35 minutes
Le chauffeur est gentil | Le chauffeur est lent
Est venue à Berne lundi | Est venue à Berne vendredi
La porte est rouge | La porte est lourde
猫是黑色的 | 猫很老
孩子们六点吃饭 | 大人们七点吃饭
等了20分钟公交 | 等了35分钟公交
司机很好 | 司机很慢
周一从上海回来 | 周五从上海回来
在家看书 | 在家看电影`);
