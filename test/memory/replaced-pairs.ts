/** An earlier and a later statement about one entity. */
export type Pair = readonly [earlier: string, later: string];

/** Reads a table of pairs: one per line, the earlier and the later statement separated by a bar. */
export function pairs(table: string): readonly Pair[] {
  return table.split('\n').map((line) => {
    const [earlier = '', later = ''] = line.split(' | ');
    return [earlier, later];
  });
}

/** A single value, or a word of change: the later statement replaces the earlier one. */
export const REPLACED = pairs(`The port of the staging database is 5433. | The port of the staging database is 6544.
Phone number is +43 664 123 4567 | Phone number is +43 660 765 4321
The installed version is 4.2.1 | The installed version is 4.3.0
The deadline for the grant proposal is March 3. | The deadline for the grant proposal is March 24.
Is 34 years old | Is 35 years old
Her boss is Ingrid Sommer | Her boss is Tomasz Wolny
Takes 5 mg of ramipril every morning. | Takes 10 mg of ramipril every morning.
The choir meets on Tuesdays. | The choir meets on Thursdays.
The front door is blue | The front door is green
The address is 12 Mill Lane, Bath | The address is 40 Orchard Road, Wells
The password hint is the first cat | The password hint is the old street
Is on the Basic plan | Is on the Team plan
Shoe size is 42 | Shoe size is 43
The owner of the repository is Farid | The owner of the repository is Lucia
The hourly rate is 85 EUR. | The hourly rate is 95 EUR.
The blood pressure target is 140/90 | The blood pressure target is 130/80
The office wifi network is called kestrel | The office wifi network is called osprey
Works at Halvorsen & Co | Works at Blue Heron Labs
Lives in Tromsø | Lives in Bergen
The nightly job starts at 02:00 | The nightly job starts at 03:30
Rent is 1,150 per month | Rent is 1,240 per month
The dog's vet is Dr. Amari | The dog's vet is Dr. Lindqvist
The backups are on the NAS | The backups are on S3
The licence expires on 2026-04-01 | The licence expires on 2027-04-01
The primary language of the service is Python | The primary language of the service is Rust
Favourite tea is oolong | Favourite tea is sencha
Weighs 82 kg | Weighs 79 kg
Reports to Yusuf | Reports to Marguerite
Anneli leads the data team | Kofi leads the data team
The locker code is 7731 | The locker code is 0925
The gym membership costs 39 euros a month | The gym membership costs 45 euros a month
The retention time is 14 days | The retention time is 30 days
Email: mara@old.example | Email: mara@new.example
The status of the visa is pending | The status of the visa is approved
Desk is on the third floor | Desk is on the fifth floor
Lives in Tromsø with two cats | Moved to Bergen in spring
The deadline for the audit is May 2 | The audit deadline was moved to May 16
The phone number is 555-0188 | Has a new phone number: 555-0142
The build runs on Jenkins | The build now runs on Buildkite
Uses Gmail for work mail | Switched to Fastmail for work mail
Uses Notion for the meeting notes | Uses Obsidian instead of Notion for the meeting notes
Drives a Volvo | Drives a Skoda now
Is vegetarian | Is no longer vegetarian
Speaks Hungarian with her mother | No longer speaks Hungarian with her mother
Is allergic to pollen | Is no longer allergic to pollen since the therapy
Has a membership at the climbing hall | Has no membership at the climbing hall any more
The database is MySQL | The database was changed from MySQL to Postgres
Plays the cello | Stopped playing the cello
The standup is at 9:15 | The standup is now at 10:00
The head of finance is Ruth | Oskar is now the head of finance
Die Telefonnummer ist 0650 1234567 | Die Telefonnummer ist 0650 7654321
Wohnt in Linz | Wohnt in Steyr
Der Port von Grafana ist 3000 | Der Port von Grafana ist 3100
Die Abgabefrist ist der 3. März | Die Abgabefrist ist der 17. März
Ihre Chefin ist Frau Huber | Ihre Chefin ist Frau Novak
Nimmt 50 mg Thyroxin | Nimmt 75 mg Thyroxin
Die Schuhgröße ist 38 | Die Schuhgröße ist 39
Das Auto ist rot | Das Auto ist grau
Die Chorprobe ist am Montag | Die Chorprobe ist am Mittwoch
Ist 41 Jahre alt | Ist 42 Jahre alt
Arbeitet bei Voest | Arbeitet bei Siemens
Wohnt in Linz | Ist nach Steyr umgezogen
Wohnt in Linz | Wohnt nicht mehr in Linz, sondern in Steyr
Isst Fleisch | Isst kein Fleisch mehr
Das Treffen ist um 9 Uhr | Das Treffen ist jetzt um 10 Uhr
Der Handytarif ist Smart 5 | Ist auf den Handytarif Power 20 gewechselt
Nutzt Outlook für den Kalender | Nutzt Thunderbird statt Outlook für den Kalender
Le numéro de téléphone est 06 12 34 56 78 | Le numéro de téléphone est 06 87 65 43 21
Habite à Lyon | Habite à Nantes
Travaille chez Airbus | Travaille chez Thales
Le loyer est de 700 euros | Le loyer est de 760 euros
La réunion est le mardi | La réunion est le jeudi
Sa directrice est Mme Leroy | Sa directrice est Mme Petit
A 28 ans | A 29 ans
Prend 20 mg de paroxétine | Prend 30 mg de paroxétine
La couleur du portail est verte | La couleur du portail est noire
Habite à Lyon | N'habite plus à Lyon mais à Nantes
Habite à Lyon | A déménagé à Nantes
Boit du café | Ne boit plus de café
Utilise Word pour les rapports | Utilise LaTeX au lieu de Word pour les rapports
电话是13800001111 | 电话是13900002222
住在成都 | 住在重庆
今年34岁 | 今年35岁
老板是王强 | 老板是李娜
数据库端口是5432 | 数据库端口是6543
每周例会在周二 | 每周例会在周四
鞋码是42码 | 鞋码是43码
截止日期是3月3日 | 截止日期是3月17日
在华为工作 | 在腾讯工作
每天吃5毫克药 | 每天吃10毫克药
车是红色的 | 车是白色的
当前版本是2.1 | 当前版本是2.3
住在成都 | 搬到重庆了
例会时间是周二下午 | 例会时间改成周四下午
用的手机是小米 | 手机换成华为了
报销由王强负责 | 报销改由李娜负责
在成都工作 | 不再在成都工作
喝咖啡 | 不再喝咖啡
The API listens on port 4000 | The API listens on port 4100
His mobile is 0043 699 100 200 | His mobile is 0043 699 300 400
Runs Node 20 in production | Runs Node 22 in production
Homework deadline: Friday | Homework deadline: Monday
Turned 52 | Turned 53
Anna is 12 | Anna is 13
Manager is Dan | Manager is Cleo
The dose of the thyroid tablets is 50 µg | The dose of the thyroid tablets is 75 µg
The book club meets every first Monday | The book club meets every second Tuesday
The retro is on Monday | The retro moved to Wednesday
The bike is green | The bike is now black
Office address: 5 Harbour St | Office address: 18 Castle Rd
The monthly fee is $12 | The monthly fee is $15
The wifi password hint is "grandpa's boat" | The wifi password hint is "the red barn"
The internet plan is Fibre 100 | The internet plan is Fibre 500
The internet plan is Fibre 100 | Switched the internet plan to Fibre 500
Wears size 44 | Wears size 45
The domain belongs to Marta | The domain belongs to Jules
The on-call engineer is Priya | The on-call engineer is Sam
The meeting room is Ada | The meeting room is Turing
The primary key type is integer | The primary key type is uuid
The default branch is master | The default branch is main
Default model: llama3 | Default model: qwen3
The cache TTL is 60 s | The cache TTL is 300 s
Timeout is 30 seconds | Timeout is 45 seconds
The landlord is Mr. Okafor | The landlord is Mrs. Brandt
The car is parked on level 2 | The car is parked on level 4
The spare key is under the mat | The spare key is in the shed
Deploys happen on Tuesdays | Deploys happen on Wednesdays
The trash is collected on Mondays | The trash is collected on Thursdays
Kindergarten closes at 16:00 | Kindergarten closes at 17:00
His job title is engineer | His job title is staff engineer lead
Works as a nurse | Works as a teacher
Studies at TU Wien | Studies at ETH
Is based in Lisbon | Is now based in Porto
Is in Lisbon | Is in Porto
The CEO is Vera | The CEO is Matthias
The capital budget is 20k | The capital budget is 35k
Commutes by bike | Commutes by train
Sleeps in the blue room | Sleeps in the attic
Insulin: 12 units at night | Insulin: 14 units at night
Takes 2 tablets a day | Takes 3 tablets a day
Her doctor is Dr. Weiss | Her doctor is Dr. Kahn
Goes to Dr. Weiss | Changed doctors from Dr. Weiss to Dr. Kahn
The release is planned for May 3 | The release was postponed to May 17
The release date is May 3 | The release date slipped to May 17
The project owner is Ada | Ada handed the project over; the project owner is now Grace
The team uses Jira for tickets | The team switched from Jira to Linear for tickets
The blog is hosted on Netlify | The blog is hosted on Cloudflare
The stack trace level is debug | The stack trace level is info
Sein Chef ist Herr Maier | Sein Chef ist Herr Lang
Das Passwort-Hinweis ist der erste Hund | Das Passwort-Hinweis ist die alte Straße
Die Adresse ist Hauptstraße 5 | Die Adresse ist Ringweg 9
Die Miete beträgt 800 Euro | Die Miete beträgt 850 Euro
Die Version ist 2.1 | Die Version ist 2.2
Das Meeting findet dienstags statt | Das Meeting findet donnerstags statt
Das Fahrrad ist blau | Das Fahrrad ist jetzt schwarz
Der Tarif ist Basis | Der Tarif ist Premium
Nimmt 20 mg Blutdrucksenker | Nimmt 40 mg Blutdrucksenker
Ist bei der Allianz versichert | Ist nicht mehr bei der Allianz, sondern bei der Uniqa versichert
Trinkt Kaffee | Trinkt keinen Kaffee mehr
Der Standort ist Graz | Der Standort wurde von Graz nach Wels verlegt
Das Team nutzt Slack | Das Team nutzt jetzt Teams statt Slack
Sie fährt einen Golf | Sie fährt jetzt einen Polo
Ihr Büro ist im dritten Stock | Ihr Büro ist im fünften Stock
Le code du portail est 4821 | Le code du portail est 9034
Son patron est Marc | Son patron est Julie
La version installée est 3.1 | La version installée est 3.2
La date limite est le 3 mars | La date limite est le 17 mars
La voiture est rouge | La voiture est grise
Prend 5 mg par jour | Prend 10 mg par jour
L'adresse est 5 rue des Lilas | L'adresse est 18 avenue Foch
Le forfait est Liberté | Le forfait est Série Limitée
Le responsable du projet est Karim | Le responsable du projet est Léa
A 34 ans | A 35 ans
La chorale répète le lundi | La chorale répète le mercredi
Sa pointure est 38 | Sa pointure est 39
Utilise Gmail | N'utilise plus Gmail mais Proton
Le cours est à 18h | Le cours est maintenant à 19h
手机号是13812345678 | 手机号改成13987654321
周会在周三 | 周会改到周五
部门经理是赵敏 | 部门经理换成周芷若
项目由张伟负责 | 项目改由刘洋负责
体重72公斤 | 体重70公斤
公司地址是中山路5号 | 公司地址是人民路18号
用的是安卓手机 | 不再用安卓手机，换成苹果了
服务器部署在阿里云 | 服务器部署在腾讯云
房租每月3500元 | 房租每月3800元
密码提示是小学名字 | 密码提示是第一只狗
套餐是29元套餐 | 套餐是59元套餐
最喜欢的颜色是蓝色 | 最喜欢的颜色是绿色
住在北京 | 住在上海
现在住在广州 | 现在住在深圳
年龄是28岁 | 年龄是29岁
截稿时间是周五 | 截稿时间是下周一
版本号是v1.2 | 版本号是v1.3
班主任是陈老师 | 班主任是黄老师
每天吃两片药 | 每天吃三片药`);

/** Parallel values, other topics, events, plans, doubts: nothing is replaced. */
export const KEPT = pairs(`Speaks Norwegian | Speaks Polish
Speaks Norwegian at home | Speaks Polish at work
Has a sister called Runa | Has a sister called Liv
His brother is a plumber | His brother is an electrician
Her daughter is called Mia | Her daughter is called Lena
Has a dog | Has a parrot
Has a cat named Miso | Has a cat named Tofu
Is friends with Bashir | Is friends with Odile
A friend of hers is Bashir | A friend of hers is Odile
Plays chess | Plays the oboe
Hobby is pottery | Hobby is archery
Is allergic to walnuts | Is allergic to penicillin
Has been to Oslo | Has been to Lisbon
Visited Kyoto in 2019 | Visited Osaka in 2023
Flew to Rome on May 3 | Flew to Rome on June 9
The port of the staging database is 5433 | The port of the production database is 6544
The backups of the wiki are on S3 | The backups of the mail are on tape
The front door is blue | The front door is heavy
The server is in Frankfurt | The server is slow
The house is old | The house is big
Lives in Tromsø | Works in Bergen
Lives in Tromsø | Lives in Tromsø near the bridge
Lives in Tromsø | Was born in Bergen
Lives in Tromsø | Lived in Oslo from 2008 to 2011
Lives in Tromsø | Plans to move to Bergen
Lives in Tromsø | Might move to Bergen next year
Lives in Tromsø | Is thinking about moving to Bergen
Is on the Basic plan | Wants to switch to the Team plan
The deadline is March 3 | The deadline for the second draft is March 24
Knows Ingrid from school | Knows Ingrid from work
Works on the parser | Works on the printer driver
Read the book about whales | Read the book about bees
Bought a lamp for 30 euros | Bought a lamp for 45 euros
Uses a standing desk | Uses a trackball
Her sister lives in Rome | Her brother lives in Milan
Her sister lives in Rome | Her sister lives in Milan
Mara's phone number is 555-0188 | Jon's phone number is 555-0142
Likes hiking | Likes swimming
Studied in Vienna | Moved from Vienna to Graz
Was born in Vienna | No longer lives in Vienna
Has three windows in the office | Has two plants in the office
Ran 10 km on Sunday | Ran 12 km on Sunday
One of the tenants is Pavel | One of the tenants is Irina
Member of the rowing club | Member of the chess club
Is also called Beppo | Is also called Joe
Takes 5 mg of ramipril | Takes 500 mg of metformin
Is learning Danish | Is learning Greek
Owns a flat in Bath | Owns a boat in Wells
The kitchen wall is white | The bedroom wall is yellow
Supports Arsenal | Supports the library fund
The printer is out of toner | The printer is on the second floor
Meets Anton on Mondays | Meets Greta on Mondays
Goes swimming on Mondays | Goes swimming on Fridays
Drinks coffee | Drinks tea
The meeting is with Farid | The meeting is in room 4
Spricht Tschechisch | Spricht Kroatisch
Hat eine Katze | Hat einen Hund
Ihr Sohn heißt Emil | Ihr Sohn heißt Anton
Ist gegen Nüsse allergisch | Ist gegen Milch allergisch
War schon in Prag | War schon in Triest
Spielt Schach | Spielt Geige
Wohnt in Linz | Will nach Wien ziehen
Wohnt in Linz | Arbeitet in Wels
Wohnt in Linz | Hat früher in Graz gewohnt
Der Port von Grafana ist 3000 | Der Port von Loki ist 3100
Ist mit Jana befreundet | Ist mit Petra befreundet
Das Auto ist rot | Das Auto ist alt
Parle italien | Parle portugais
A un chat | A un chien
Sa sœur habite à Lyon | Son frère habite à Nantes
Est allergique au pollen | Est allergique aux noix
A visité Rome | A visité Naples
Habite à Lyon | Veut déménager à Nantes
Joue du piano | Joue de la flûte
Le port de Grafana est 3000 | Le port de Loki est 3100
会说日语 | 会说韩语
养了一只猫 | 养了一只狗
对花生过敏 | 对海鲜过敏
去过东京 | 去过大阪
有个妹妹叫小红 | 有个妹妹叫小兰
住在成都 | 打算搬到重庆
住在成都 | 在重庆出差
喜欢爬山 | 喜欢游泳
朋友是小王 | 朋友是小李
测试环境端口是5432 | 生产环境端口是6543
买了一本书 | 买了一台电脑
Speaks Tagalog | Speaks Cantonese
Is fluent in Dutch | Is fluent in Greek
Has a brother in Leeds | Has a brother in York
Her sister is Olga | Her sister is Vera
Her son is 5 | Her daughter is 7
Has a hamster | Has a turtle
Owns a labrador | Owns a beagle
Her best friends are Kim and Lee | Her best friends are Joy and Pat
Collects stamps | Collects coins
Likes jazz | Likes metal
Is interested in astronomy | Is interested in botany
Is lactose intolerant | Is gluten intolerant
Allergy: peanuts | Allergy: shellfish
Has visited Peru | Has visited Chile
Travelled to Iceland in 2020 | Travelled to Norway in 2022
Went to Paris in May | Went to Madrid in June
The kitchen light is on | The hallway light is off
The web server runs on port 80 | The database runs on port 5432
The mother's name is Eva | The father's name is Otto
Peter's boss is Dan | Anna's boss is Cleo
The meeting with Dan is on Monday | The meeting with Cleo is on Tuesday
Reads Dostoevsky | Reads Tolstoy
Is a teacher | Is a mother
Is tall | Is kind
Is tired | Is in Rome
The car is fast | The car is red
The soup was too salty | The soup was too cold
Dinner was at 7 | Dinner was at 8
Paid 30 euros for parking | Paid 50 euros for parking
Had a meeting on Monday | Had a meeting on Tuesday
The invoice of May is 300 EUR | The invoice of June is 400 EUR
The 2024 revenue is 3M | The 2025 revenue is 4M
Version 1.0 was released on May 3 | Version 2.0 was released on June 9
Fixed bug 120 | Fixed bug 121
Plays tennis on Mondays | Plays tennis on Fridays
Lives in Rome | Has a house in Siena
Lives in Rome | Is travelling in Japan from May 3 to May 9
Lives in Rome | Will move to Milan on July 1
Lives in Rome | Considers moving to Milan
Works at Acme | Gave a talk at Initech
Works at Acme | Has an interview at Initech
Works for Acme on Mondays | Works for Initech on Fridays
Uses vim | Uses tmux
Uses Python | Uses Rust
Needs a visa for India | Needs a visa for China
Drinks tea in the morning | Drinks wine in the evening
Subscribed to the Guardian | Subscribed to the Economist
The report is about whales | The report is due on Friday
The red team is in room 4 | The blue team is in room 5
Room 4 is free on Monday | Room 5 is free on Monday
Married in 2012 | Married Tom
Born in Graz | Born in 1985
The first child is Mia | The second child is Ben
Keeps the passport in the safe | Keeps the jewellery in the drawer
The grandmother lives in Bern | The grandfather lives in Basel
Got a new bike | Got a new phone
The bike is red | Got a new bike
The phone number of the vet is 555-1 | The phone number of the school is 555-2
Ist Vegetarier | Ist Linkshänder
Spricht Englisch | Spricht auch Spanisch
Hat einen Bruder | Hat eine Schwester
Hat Angst vor Hunden | Hat Angst vor Spinnen
War in Rom | War in Paris
Mag Jazz | Mag Rock
Das Haus ist alt | Das Haus ist groß
Die Küche ist weiß | Das Bad ist blau
Lernt Klavier | Lernt Japanisch
Plant einen Umzug nach Wien | Wohnt in Linz
Wohnt in Linz | Zieht vielleicht nach Wien
Wohnt in Linz | Ist diese Woche in Wien
Sein Hund heißt Rex | Sein Hund heißt Bello
Fährt montags nach Graz | Fährt freitags nach Graz
Ist auf Mallorca im Urlaub | Wohnt in Linz
A une sœur à Lille | A une sœur à Metz
Aime le thé | Aime le café
Est allé à Rome | Est allé à Oslo
La maison est grande | La maison est vieille
La cuisine est blanche | La chambre est bleue
Habite à Lyon | Va déménager à Nantes en mai
Travaille sur le moteur | Travaille sur le rapport
Sa fille s'appelle Léa | Sa fille s'appelle Zoé
Son chien s'appelle Rex | Son chien s'appelle Max
Fait du judo le lundi | Fait du judo le jeudi
喜欢吃辣 | 喜欢喝茶
会弹钢琴 | 会拉小提琴
女儿叫小美 | 女儿叫小丽
有一个哥哥 | 有一个姐姐
对青霉素过敏 | 对芒果过敏
爱看科幻小说 | 爱看推理小说
上周去了北京 | 上周去了上海
昨天花了30元 | 昨天花了50元
住在北京 | 可能会搬到上海
住在北京 | 明年打算去上海工作
客厅的灯是白色的 | 卧室的灯是黄色的
爸爸的电话是1381 | 妈妈的电话是1392
他高 | 他瘦
学过法语 | 学过德语
在读三体 | 在读活着
养了一条金鱼 | 养了一只仓鼠`);
