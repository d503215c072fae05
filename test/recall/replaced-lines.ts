/** Two lines about one subject in two logs, the earlier one first; a line without a kind is a world fact. */
export type Lines = readonly [earlier: string, later: string];

function lines(table: string): readonly Lines[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [earlier = '', later = ''] = line.trim().split(' | ');
      return [earlier, later];
    });
}

/** The later line names what has ended, or another value of the same attribute: it supersedes the earlier one. */
export const SETTLED = lines(`
  @Router: listens on port 8080 | @Router: listens on port 9443
  @Atlas: The release version is 2.3.1 | @Atlas: The release version is 2.4.0
  @Grandma: takes 5 mg of amlodipine in the morning | @Grandma: takes 10 mg of amlodipine in the morning
  @Rent: is 1,150 euros a month | @Rent: is 1,240 euros a month
  @Backup: runs nightly at 02:30 | @Backup: runs nightly at 04:15
  @Mia: eats vegetarian | @Mia: no longer eats vegetarian, she is vegan now
  @Parcel-shop: closes at 6pm | @Parcel-shop: closes at 8pm
  @Oma: nimmt 20 mg Ramipril | @Oma: nimmt 40 mg Ramipril
  @Uwe: Seine Handynummer ist 0171 555 201 | @Uwe: Seine Handynummer ist 0160 998 774
  @Server2: läuft auf Debian 11 | @Server2: läuft auf Debian 12
  @Chor: Die Probe findet in Raum 12 statt | @Chor: Die Probe findet in Raum 27 statt
  @Konto: Wir sind bei der Sparkasse | @Konto: Wir sind nicht mehr bei der Sparkasse, sondern bei der GLS
  O(c=0.9) @阿强: 喜欢喝咖啡 | O(c=0.6) @阿强: 不再喜欢喝咖啡
  @Tariq: works night shifts | @Tariq: no longer works night shifts, he is on days now
  @Staging: runs Node 20 | @Staging: runs Node 22
  @Wendy: sleeps in room 204 | @Wendy: sleeps in room 311
  @Loyer: est de 820 euros | @Loyer: est de 860 euros
  @刘洋: 体重是70公斤 | @刘洋: 体重是66公斤
  @房租: 每月3200元 | @房租: 每月3500元
  @Boiler: pressure is 1.2 bar | @Boiler: pressure is 1.8 bar
  @Grafana: listens on port 3000 | @Grafana: listens on port 3100
  @Gabe: is single | @Gabe: is no longer single, he is engaged to Nora
  @Ursula: lives with her parents | @Ursula: moved into her own flat and no longer lives with her parents
  @Rezept: braucht 200 g Zucker | @Rezept: braucht 150 g Zucker
  @公司: 用的是钉钉 | @公司: 不再用钉钉，改用飞书
  O(c=0.8) @A2: considers Redis reliable | O(c=0.4) @A2: no longer considers Redis reliable
  O(c=0.8) @A3: enjoys pair programming | O(c=0.4) @A3: doesn't enjoy pair programming any more
  O(c=0.8) @D3: bevorzugt Tee | O(c=0.4) @D3: bevorzugt Kaffee statt Tee
  O(c=0.8) @F1: aime le télétravail | O(c=0.4) @F1: n'aime plus le télétravail
  @C13: works at Bosch | @C13: starts at Zeiss on 2026-02-01 and no longer works at Bosch
`);

/** Two lines about one topic without a sign that the earlier one has ended: the later line comes first. */
export const NEWER = lines(`
  @Wiebke: Wiebkes Sprachlehrer ist Herr Costa | @Wiebke: Wiebkes Sprachlehrer ist jetzt Herr Duarte
  @Ottokar: schläft im Dachzimmer | @Ottokar: schläft im Gästezimmer
  @Torben: Torben's shift starts at six in the morning | @Torben: Torben's shift starts at two in the afternoon
  @Wenzel: Wenzel fährt einen grauen Skoda | @Wenzel: Wenzel fährt jetzt einen roten Cupra
  @Hortense: Der Ersatzschlüssel liegt bei Familie Roth | @Hortense: Der Ersatzschlüssel liegt bei Familie Simon
  @Nebula: Nebula系统用的数据库是MySQL | @Nebula: Nebula系统的数据库换成了PostgreSQL
  @王磊磊: 王磊磊开一辆白色的大众 | @王磊磊: 王磊磊现在开一辆蓝色的比亚迪
  @贺明: 贺明担任销售经理 | @贺明: 贺明担任区域总监
  O @Lenore: thinks the standing desk is a waste of money | O @Lenore: loves the standing desk now
  O @Sabeth: hält Homeoffice für unproduktiv | O @Sabeth: findet Homeoffice inzwischen großartig
  O @Huguette: trouve la nouvelle directrice trop froide | O @Huguette: trouve maintenant la nouvelle directrice sympathique
  O @葛云: 觉得远程办公效率很低 | O @葛云: 现在很喜欢远程办公
  @Noor: is 34 years old | @Noor: is 35 years old
  @Barn: the door is painted green | @Barn: the door is painted dark blue
  @Phoneplan: we are on the Basic S tariff | @Phoneplan: we are on the Unlimited L tariff
  @Billing: is owned by the Payments team | @Billing: is owned by the Platform team
  @Lucia: banks with Monzo | @Lucia: banks with Starling
  @Freya: works at Siemens | @Freya: works at Vestas
  @Api: the rate limit is 100 requests per minute | @Api: the rate limit is 250 requests per minute
  @Deploys: happen on Wednesdays | @Deploys: happen on Mondays
  @Lab: the freezer is set to -20 °C | @Lab: the freezer is set to -80 °C
  @Rosa: is married to Paulo | @Rosa: is married to Henrique
  @Website: is hosted on Netlify | @Website: is hosted on Cloudflare Pages
  @Choir: practice is in the parish hall | @Choir: practice is in the town library
  @Vet: Bruno's vet is Dr. Kaminski | @Vet: Bruno's vet is Dr. Amara
  @Dan: job title is data analyst | @Dan: job title is analytics lead
  @Insulin: Carla injects 12 units before dinner | @Insulin: Carla injects 14 units before dinner
  O(c=0.8) @Lars: prefers tabs over spaces | O(c=0.7) @Lars: prefers spaces over tabs
  O(c=0.95) @Omar: finds GraphQL useful | O(c=0.5) @Omar: finds GraphQL useless
  @Verein: Der Vorsitzende ist Herr Albrecht | @Verein: Der Vorsitzende ist Frau Seidel
  @Karim: son numéro est le 06 12 34 56 78 | @Karim: son numéro est le 07 98 76 54 32
  @Équipe: la responsable est Sylvie Morel | @Équipe: la responsable est Hugo Blanc
  @Théo: travaille chez Thales | @Théo: travaille chez Dassault
  @网关: 端口是7000 | @网关: 端口是7443
  @例会: 每周二下午三点开 | @例会: 每周四下午三点开
  @项目: 负责人是陈刚 | @项目: 负责人改成了刘敏
  @墙: 客厅的墙是白色的 | @墙: 客厅的墙是米色的
  @Marta: her landlord is Mr. Beck | @Marta: her landlord is Mrs. Osei
  @Flat: the spare key is with Mrs. Novak | @Flat: the spare key is with the bakery
  @Sprint: lasts two weeks | @Sprint: lasts three weeks
  @Car: is parked in the garage | @Car: is parked on Elm Street
  @Blog: is written in Hugo | @Blog: is written in Astro
  @Passport: expires on 2027-02-11 | @Passport: expires on 2036-09-30
  @Rachel: her therapist is Dr. Lowe | @Rachel: her therapist is Dr. Imani Grant
  @Sanjay: his role is QA engineer | @Sanjay: his role is release manager
  @Pavel: lives at 22 Rose Street | @Pavel: lives at 9 Harbour View
  @Paula: Ihr Chef heißt Wagner | @Paula: Ihr Chef heißt Özdemir
  @Hugo: ist 7 Jahre alt | @Hugo: ist 8 Jahre alt
  @Training: ist mittwochs um 18 Uhr | @Training: ist donnerstags um 18 Uhr
  @Wagen: Das Auto ist rot | @Wagen: Das Auto ist silbern
  @Strom: Der Preis liegt bei 31 Cent | @Strom: Der Preis liegt bei 28 Cent
  @Paul: travaille comme cuisinier | @Paul: travaille comme boulanger
  @会议室: 密码是2468 | @会议室: 密码是1357
  @车: 停在地下二层 | @车: 停在地下三层
  @Олег: живёт в Твери | @Олег: живёт в Казани
  @Report: is due on Friday | @Report: is due on Tuesday
  @Cleaner: comes on Wednesdays | @Cleaner: now comes on Fridays
  @Mum: takes 50 micrograms of levothyroxine | @Mum: takes 75 micrograms of levothyroxine
  @Ravi: address: 8 King Street, Leeds | @Ravi: address: 51 Park Row, Leeds
  @Lily: shoe size is 31 | @Lily: shoe size is 33
  @Retro: is held in the Blue room | @Retro: is held in the Garden room
  @Doc: our GP is Dr. Hale | @Doc: our GP is Dr. Sørensen
  @Timeouts: the request timeout is 30 s | @Timeouts: the request timeout is 45 s
  @Alarm: the alarm code is 7741 | @Alarm: the alarm code is 2083
  @CI: runs on GitHub Actions | @CI: runs on GitLab CI
  @Plants: are watered every 3 days | @Plants: are watered every 5 days
  O(c=0.7) @Jess: hates open-plan offices | O(c=0.6) @Jess: loves open-plan offices
  @Sprechstunde: ist dienstags von 9 bis 11 | @Sprechstunde: ist donnerstags von 9 bis 11
  @WLAN: Das Passwort ist Apfelbaum7 | @WLAN: Das Passwort ist Birnbaum9
  @Chaudière: la pression est de 1,2 bar | @Chaudière: la pression est de 1,6 bar
  @Papi: prend 50 mg de losartan | @Papi: prend 100 mg de losartan
  @Sofia: vive en Madrid | @Sofia: vive en Sevilla
  @Ana: mora em Lisboa e trabalha no Porto | @Ana: mora em Coimbra
  @Luc: boit du thé vert | @Luc: boit du café
  @Rosa: toma café por la mañana | @Rosa: ya no toma café
  @Рита: пьёт кофе по утрам | @Рита: больше не пьёт кофе
  @Bia: tem dois gatos | @Bia: tem três gatos
  @Jan: lief 5 km im Park | @Jan: lief 8 km im Park
  @Sofia: corrió 5 km en el parque | @Sofia: corrió 8 km en el parque
  @小李: 在公园跑了5公里 | @小李: 在公园跑了8公里
  @Marco: ha pagato 40 euro al dentista | @Marco: ha pagato 60 euro al dentista
  @Piscine: ferme à 20 h | @Piscine: ferme à 21 h
  @班会: 在302教室开 | @班会: 在405教室开
  @快递: 地址是朝阳路12号 | @快递: 地址是建国路88号
  O(c=0.8) @A4: prefers email over phone calls | O(c=0.4) @A4: prefers phone calls over email
  O(c=0.8) @A5: is happy with the new office | O(c=0.4) @A5: is unhappy with the new office
  O(c=0.8) @A6: trusts the weather app | O(c=0.4) @A6: distrusts the weather app
  O(c=0.8) @A7: believes remote work is productive | O(c=0.4) @A7: believes remote work is not productive
  O(c=0.8) @A8: hates mushrooms | O(c=0.4) @A8: likes mushrooms now
  O(c=0.8) @A9: favourite editor is Vim | O(c=0.4) @A9: favourite editor is Helix
  O(c=0.8) @D1: findet Jira gut | O(c=0.4) @D1: findet Jira schlecht
  O(c=0.8) @D2: mag Homeoffice | O(c=0.4) @D2: mag Homeoffice nicht mehr
  O(c=0.8) @F3: trouve Docker pratique | O(c=0.4) @F3: déteste Docker
  O(c=0.8) @张一: 觉得远程办公很好 | O(c=0.4) @张一: 觉得远程办公不好
  O(c=0.8) @张三: 更喜欢茶而不是咖啡 | O(c=0.4) @张三: 更喜欢咖啡而不是茶
  @C10: The service port is 8080 | @C10: The service port will be 8443 from 2026-03-01
  @Thesis: must be handed in by June 3 | @Thesis: must be handed in by June 24
  @Standup: takes place in room Curie | @Standup: takes place in room Hopper
`);

/** Parallel things, other topics, events, plans, doubts, other holders: both lines stay. */
export const KEPT = lines(`
  @Nadja: Nadja takes the train at seven in the morning | @Nadja: Nadja takes the train at six in the evening
  @Ravinder: works on Monday | @Ravinder: works on Thursday
  @Emilio: Emilio hat in Mathe eine Zwei | @Emilio: Emilio hat in Deutsch eine Drei
  @Gunnar: Gunnar fährt einen grauen Skoda | @Gunnar: Gunnar fährt ein rotes Rennrad
  @赵小强: 赵小强周一有钢琴课 | @赵小强: 赵小强周三有游泳课
  @何苗: 何苗穿蓝色的裙子 | @何苗: 何苗穿白色的鞋子
  O @Lioba: mag Kuchen am Sonntag | O @Lioba: mag Eis am Sonntag
  O @Lavinia: likes the garden in spring | O @Lavinia: likes the balcony in spring
  O @Odilon: aime le pain au petit déjeuner | O @Odilon: aime les fruits au petit déjeuner
  O @Marceline: trouve la nouvelle directrice trop froide | O @Marceline: trouve maintenant la nouvelle cantine bonne
  O @Ludmila: thinks the big office is noisy | O @Ludmila: now thinks the big kitchen is lovely
  @Rob: has a sister called Jo | @Rob: has a sister called Meg
  @Gus: has a parrot named Kiwi | @Gus: has a tortoise named Bolt
  @Leo: visited Lisbon | @Leo: visited Porto
  @Max: is friends with Tessa | @Max: is friends with Nolan
  @Hal: plays the cello | @Hal: plays the oboe
  @Ruby: works at Bosch | @Ruby: is thinking about joining Zeiss
  @Cleo: bought a bike for 400 euros | @Cleo: bought a bike for 900 euros
  B @Agent: fixed the build on port 3000 | B @Agent: fixed the build on port 4000
  @Ida: likes mango | @Ida: likes papaya
  @Gym: yoga is on Mondays | @Gym: spinning is on Wednesdays
  @Jo: met Karen in Madrid | @Jo: met Karen in Toledo
  @Dov: supports Arsenal | @Dov: supports Ajax
  @Api2: supports JSON | @Api2: supports Protobuf
  @Trip: flight to Oslo leaves at 8:10 | @Trip: flight to Rome leaves at 17:45
  @Val: lives in San Francisco | @Val: came back from San Francisco
  O(c=0.8) @Di: thinks Vim is great | O(c=0.8) @Ed: thinks Vim is awful
  @Wes: might switch to Linux | @Wes: uses a Mac
  @Ray: gave a talk in Berlin | @Ray: gave a talk in Vienna
  @Nat: teaches algebra | @Nat: teaches geometry
  @Pam: is a nurse | @Pam: is a mother of two
  @Gil: owes me 20 euros | @Gil: owes Mark 50 euros
  @Roy: scored 2 goals against Leeds | @Roy: scored 1 goal against Hull
  @Ole: hat einen Hund namens Fips | @Ole: hat eine Katze namens Mimi
  @Kai: wohnt in Jena | @Kai: will nach Weimar ziehen
  @Ute: hat 2 Äpfel gekauft | @Ute: hat 5 Äpfel gekauft
  @Luc: parle breton | @Luc: parle occitan
  @Rémi: habite à Lille | @Rémi: va déménager à Metz
  @Guy: fait du judo | @Guy: fait de l'escalade
  @李娜: 去过大理 | @李娜: 去过丽江
  @孙丽: 养了一只狗 | @孙丽: 养了一只猫
  @郑爽: 对花生过敏 | @郑爽: 对虾过敏
  @Amy: knows Java | @Amy: knows Scala
  @Cat: has a dentist appointment on March 3 | @Cat: has a dentist appointment on April 12
  @Eli: is in the choir | @Eli: is in the chess club
  @Gwen: is a vegetarian | @Gwen: is a member of the golf club
  @Iris: has two cats | @Iris: has a rabbit
  @Kate: sold 3 paintings | @Kate: sold 5 paintings
  @Moe: is afraid of heights | @Moe: is afraid of spiders
  @Oz: wants a dog | @Oz: wants a motorbike
  @Quinn: wrote a post about Kafka | @Quinn: wrote a post about Redis
  @Sol: invited Mark | @Sol: invited Lena
  @Una: rents out flat 3 | @Una: rents out flat 8
  @Wim: lives in Ghent | @Wim: spent the summer in Nice
  @Yul: paid 30 euros for lunch | @Yul: paid 25 euros for lunch
  @Abi: build 311 fails on macOS | @Abi: build 312 fails on macOS
  @Cora: cooks pasta with basil | @Cora: cooks rice with saffron
  @Emil: moved the sofa to the wall | @Emil: lives in Bonn
  @Gab: works at Spotify | @Gab: had a job interview at Zalando
  @Ian: recommends Dune | @Ian: recommends Hyperion
  @Kira: spielt Geige | @Kira: spielt Handball
  @Mona: ist im Chor | @Mona: ist im Elternbeirat
  @Otto: wird vielleicht nach Bern ziehen | @Otto: wohnt in Köln
  @Rolf: ist 5 km gelaufen | @Rolf: ist 8 km gelaufen
  @Tess: aime le jazz | @Tess: aime le blues
  @Val2: a rendez-vous le 3 mai | @Val2: a rendez-vous le 9 juin
  @冯涛: 喜欢篮球 | @冯涛: 喜欢羽毛球
  @高峰: 吃了两碗饭 | @高峰: 吃了三碗饭
  @梁凯: 可能会去深圳 | @梁凯: 住在珠海
  @Нина: любит чай | @Нина: любит какао
  @Alma: has lived in Quito | @Alma: has lived in Bogotá
  @Cindy: is learning Dutch | @Cindy: is learning Swedish
  @Edie: takes vitamin D | @Edie: takes iron pills
  @Gail: won the chess cup in 2019 | @Gail: won the chess cup in 2022
  @Igor: sends 2 parcels to Minsk | @Igor: sends 3 parcels to Riga
  @Kurt: volunteers at the food bank | @Kurt: volunteers at the library
  @Milo: follows a course on Coursera | @Milo: follows a course on edX
  @Omar2: the meeting with Ann is on Monday | @Omar2: the meeting with Bob is on Thursday
  @Quin: is good at maths | @Quin: is good at drawing
  @Suki: grows tomatoes | @Suki: grows beans
  @Ugo2: is from Naples | @Ugo2: is a plumber
  @Wes2: lives in Oslo | @Wes2: visited Bergen
  @Yara: hired two people in May | @Yara: hired three people in June
  @Alba: commutes by train on Mondays | @Alba: commutes by bike on Fridays
  @Cy2: reported bug 88 | @Cy2: reported bug 91
  @Etta: has 2 kids | @Etta: has 3 kids
  @Gold: rose 2 percent on Monday | @Gold: rose 3 percent on Tuesday
  O(c=0.7) @Ira: thinks the API docs are good | O(c=0.7) @Jon: thinks the API docs are bad
  @Arno: hat am 3. Juni Prüfung | @Arno: hat am 10. Juli Prüfung
  @Claas: ist mit Jan befreundet | @Claas: ist mit Kim befreundet
  @Emil2: ist in Rom gewesen | @Emil2: ist in Paris gewesen
  @Alix: joue du piano | @Alix: joue de la flûte
  @Chloé: a acheté 2 livres | @Chloé: a acheté 4 livres
  @韩梅: 学过法语 | @韩梅: 学过德语
  @谢敏: 三月去了上海 | @谢敏: 五月去了广州
  @邓超: 有两个孩子 | @邓超: 有一只猫
  O(c=0.8) @B1: likes Python | O(c=0.4) @B1: likes Java
  O(c=0.8) @B2: prefers short emails | O(c=0.4) @B2: prefers detailed code reviews
  O(c=0.8) @B3: thinks Docker is great | O(c=0.4) @B33: thinks Docker is awful
  O(c=0.8) @B4: likes tea in the morning | O(c=0.4) @B4: likes coffee in the afternoon
  O(c=0.8) @B5: hates early meetings | O(c=0.4) @B5: likes the weekly meeting
  O(c=0.8) @B6: enjoys hiking in summer | O(c=0.4) @B6: dislikes hiking in the rain
  O(c=0.8) @B7: mag Pilze | O(c=0.4) @B7: mag keinen Käse
  O(c=0.8) @B8: aime la mer | O(c=0.4) @B8: n'aime pas la montagne
  O(c=0.8) @李四: 喜欢猫 | O(c=0.4) @李四: 不喜欢狗
  @C1: will move to Lyon on 2026-03-01 | @C1: bought a lamp
  @C2: lives in Lyon | @C2: will move to Nice on 2026-09-01
  @C5: lives in Lyon | @C5: is going to move to Nice next summer
  @C7: wohnt in Bonn | @C7: wird am 1. Mai 2026 nach Mainz ziehen
  @C9: habite à Lyon | @C9: va déménager à Nice le 1er juin 2026
  @钱二: 住在南京 | @钱二: 2026年6月1日将搬到无锡
  @C11: The service port is 8080 | @C11: The service port will be 8443 from 2026-08-01
  @C12: The service port is 8080 | @C12: The service port might be 8443 from 2026-03-01
  @C14: lives in Lyon | @C14: hopes to move to Nice on 2026-03-01
  @Xena: has a meeting at 10 | @Xena: has a meeting at 14
  @Lutz: hat einen Termin am 3. Mai | @Lutz: hat einen Termin am 9. Juni
  @Dina: gets a massage on Tuesday | @Dina: gets a massage on Saturday
  @Zoe: her son is called Finn | @Zoe: her son is called Otis
  @Fay: went from Paris to Lyon by train | @Fay: went from Lyon to Nice by train
`);
