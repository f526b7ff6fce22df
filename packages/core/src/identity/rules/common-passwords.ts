/**
 * Words that many passwords are made of. A password that is such a word is refused, also with digits or signs around
 * it.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwords passwd passphrase passcode motdepasse contrasena contraseña wachtwoord haslo parola senha
welcome letmein login signin admin administrator administrador root superuser sysadmin webmaster hostmaster postmaster manager
guest user username default changeme changeit change temp temporary test tester testing testtest demo sample example secret
secrets private secure security access account master server system computer laptop internet network database oracle mysql postgres
ubuntu debian linux windows microsoft google facebook twitter instagram linkedin youtube amazon apple samsung android iphone
company office business customer employee service support helpdesk email mail mailer posthorn sender newsletter workspace
qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc
iloveyou ilove loveyou lovely love lover loveme forever always sweetheart darling honey princess prince angel baby babygirl
sunshine sunflower rainbow butterfly flower flowers summer winter spring autumn january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday
dragon monkey tiger lion eagle falcon panther wolf shadow phoenix dolphin elephant kitten puppy doggy kitty rabbit horse
football baseball basketball soccer hockey tennis volleyball cricket golfer runner liverpool arsenal chelsea barcelona realmadrid
juventus manchester yankees steelers cowboys packers lakers eagles patriots raiders redskins broncos
superman batman spiderman ironman captain wonder starwars startrek pokemon pikachu naruto minecraft fortnite roblox zelda mario
matrix gandalf hobbit hogwarts harrypotter potter frozen simpsons mustang ferrari porsche mercedes corvette harley yamaha suzuki
honda toyota nissan chevrolet camaro charger hummer
michael michelle jennifer jessica jordan ashley amanda nicole daniel andrew joshua matthew robert thomas charlie george
william richard joseph anthony jonathan christopher christian alexander benjamin nicholas samantha stephanie elizabeth victoria
catherine patricia margaret charlotte isabella sophie olivia hannah maggie ginger pepper cookie buster bailey hunter ranger
killer soldier warrior knight ninja samurai legend hacker cracker trustno trustnoone whatever whatsup nothing something anything
blahblah hello helloworld hellothere goodbye goodluck lucky happy smile smiley peace freedom justice liberty america canada
mexico london paris berlin madrid moscow newyork california texas florida chicago boston dallas denver australia england
germany france ireland scotland india pakistan brazil
jesus christ jesuschrist godisgood blessed heaven faith grace church family mother father mommy daddy brother sister friend
friends bestfriend money dollar millionaire diamond diamonds silver golden gold platinum purple orange yellow
banana apples strawberry blueberry chocolate cheese coffee pizza hamburger whiskey tequila vodka cocacola pepsi
music guitar metallica nirvana slipknot beatles eminem rockstar player gamer gaming playstation xbox nintendo
abcd abcdef abcdefg abcdefgh abcabc foobar foobarbaz xyzzy opensesame sesame thunder lightning hurricane tornado blizzard
mountain ocean island beach galaxy universe planet jupiter saturn mercury apollo athena zeus hercules spartan trojan
fuckyou fuckoff asshole bitch bullshit sexy pussy naked porn
computer1 internet1 passpass passme mypassword mypass yourpassword thepassword newpassword oldpassword nopassword adminadmin
adminpassword rootpassword userpassword testpassword password1 passwordpassword supersecret topsecret verysecret keepout
monkeys dragons tigers master123 letmeinnow letmeinplease openup openthedoor iamthebest imthebest number numberone
ilovegod ilovejesus ilovemom ilovemydog ilovecats welcomehome welcomeback welcometo goodmorning goodnight happybirthday
christmas halloween easter newyear valentine`.split(/\s+/),
);

/** The most frequent leaked passwords of eight characters or more that no other rule covers. */
export const commonPasswords: ReadonlySet<string> = new Set(
  [
    `1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsx zaq1zaq1 1qazxsw2 1qaz1qaz qwer1234 asdf1234
zxcv1234 1234qwer 1234asdf 12345qwert qwert12345 qwe123qwe 123qwe123 qweasdzxc qweasd123 123qweasd 123qweasdzxc asd123asd
abc123abc abcd1234 1234abcd abc12345 a1b2c3d4 a1b2c3d4e5 a123456789 q123456789 aa123456 aa12345678 123456aa 12345678a 123456789a
123456789q 123456abc 12344321 123123123 123321123 123454321 1234554321 12345678910 123456123 123456654321 112233445566 11223344
1122334455 11112222 11223300 12121212 13131313 14141414 10203040 102030405060 147258369 147852369 159753456 159357159 123698745
741852963 789456123 789654123 987654321 963852741 852456852 31415926 314159265 3141592653 27182818 20202020 20002000 19841984
52013145 5201314520 woaini1314 woaini520 88888888 66666666 77777777 99999999 00000000 11111111 22222222
trustno1 jordan23 charlie1 michael1 superman1 princess1 sunshine1 iloveyou1 football1 baseball1 letmein1 dragon12 monkey12
ncc1701d ncc1701e thx1138x rush2112 blink182 sum41sum slipknot666 metallica1 eminem12 fender12 bond007007 jamesbond007 agent007
p@ssw0rd p4ssw0rd pa55word pa$$word pa55w0rd passw0rd passw0rd1 p@55w0rd p@$$w0rd adm1n1strator r00tr00t t00rt00r h4x0rh4x0r
correcthorse correcthorsebatterystaple batterystaple thequickbrownfox thequickbrownfoxjumps tobeornottobe maytheforcebewithyou
iamyourfather winteriscoming theansweris42 nevergonnagiveyouup loremipsum loremipsumdolor helloworld1 hellokitty hellokitty1
qwertyqwerty qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty11 qwerty77 qwertyu1 asdfasdf asdfjkl; asdf;lkj
zxcvzxcv zxcasdqwe poiuytrewq lkjhgfdsa mnbvcxz1 poiulkjh qpwoeiruty alskdjfhg zmxncbvlaksjd qazplm123 plokijuh
changeme1 changemenow changethis changethisnow pleasechange pleasechangeme defaultpassword initialpassword firstlogin temppass
temppassword temp1234 test1234 test12345 testtest123 testing1 testuser1 guest1234 user1234 demo1234 admin123 admin1234 admin12345
admin123456 admin@123 admin@1234 root1234 root12345 rootroot toor1234 master12 server12 system32 windows7 windows10 windows95
iphone12 samsung1 nokia6300 nokia5800 motorola1 android1 google12 facebook1 twitter1 instagram1 linkedin1 youtube1 minecraft1
pokemon1 naruto12 runescape runescape1 warcraft worldofwarcraft counterstrike callofduty leagueoflegends grandtheftauto
assassin assassinscreed finalfantasy kingdomhearts darkside deathstar skywalker lukeskywalker darthvader millenniumfalcon
chewbacca princessleia obiwankenobi masteryoda enterprise voyager stargate battlestar lordoftherings frodobaggins
onering1 gandalf1 aragorn1 legolas1 dumbledore hermione ronweasley slytherin gryffindor ravenclaw hufflepuff quidditch
babyboy1 babygirl1 mylove12 myloveyou iloveyou2 iloveyou12 iloveyou123 ilovehim iloveher loveyou2 love1234 lovelove lovers12
sweetie1 sweetpea cupcake1 princesa teamomucho teamo123 teiubesc jetaime1 jetaimeplus ichliebedich tiamo123 tequiero tequieromucho
amorcito mivida12 corazon1 estrella mariposa chocolate1 bonjour1 soleil12 doudou12 loulou12 chouchou marseille marseille13
schatz12 schatzi1 sommer12 fussball bayern12 borussia dortmund hamburg1 deutschland passwort1 passwort123 hallo123 hallo1234
hallohallo geheim12 geheim123 ficken12 arschloch sonnenschein schmetterling qwertz123 qwertz12 yxcvbnm1 kennwort kennwort1
azerty123 azerty12 azertyuiop motdepasse1 doudoune cheval12 chocolat nounours toulouse bordeaux juventus1 ferrari1 ciaociao
francesco alessandro giuseppe forzamilan forzainter barcelona1 realmadrid1 contrasena1 alejandro fernando sebastian valentina
qwerty1q zaqwsxcde zaqxswcde xsw2zaq1 marina123 nastya123 natasha1 vladimir alexander1 sergey123 parol123 parolparol privet123
lubimaya solnishko spartak1 lokomotiv zenitzenit cska1234 marlboro marlboro1 jackdaniels johnnywalker heineken budweiser
snowball snoopdog snoopy12 garfield scooby12 scoobydoo spongebob spongebob1 mickeymouse minniemouse donaldduck bugsbunny
tinkerbell cinderella blackberry strawberry1 blueberries cinnamon peanut12 buttercup cookies1 cupcakes brownies skittles
blackcat blackdog bluebird redwings whitesox redsox12 yankees1 steelers1 cowboys1 lakers24 kobe2424 lebron23 jordan45 ronaldo7
cristiano7 messi1010 beckham7 rooney10 maradona manunited manutd12 liverpool1 chelsea1 arsenal1 everton1 celtic12 rangers1
rockyou1 rockandroll punkrock heavymetal greenday linkinpark mychemicalromance evanescence systemofadown ironmaiden acdc1234
ledzeppelin pinkfloyd rollingstones bobmarley michaeljackson justinbieber onedirection taylorswift ladygaga rihanna1 beyonce1
creative destiny1 precious jasmine1 brandon1 natalie1 danielle brittany veronica savannah mackenzie isabelle gabriella penelope
alexandra alexandria christina christine caroline kimberly theresa1 vanessa1 melissa1 rebecca1 rachel12 sarah123 maria123
david123 john1234 james123 peter123 paul1234 mark1234 kevin123 brian123 steve123 chris123 jason123 justin12 tyler123 dylan123
computer12 internet12 networking telephone keyboard monitor1 printer1 scanner1 webcam12 notebook cellphone smartphone bluetooth
wireless ethernet firewall antivirus spyware1 hacker12 hackers1 hackme12 hackthis anonymous anonymous1 illuminati undertaker
stonecold stonecold316 therock1 johncena wrestling wrestlemania undercover detective policeman fireman1 firefighter paramedic
marines1 semperfi airforce airborne special1 spitfire lancaster mustang1 mustang69 camaro69 corvette1 chevelle firebird
thunderbird silverado harleydavidson kawasaki kawasaki1 motocross motorcycle snowboard skateboard skateboarding
swimming1 swimmer1 gymnastics cheerleader ballerina dancing1 photography fisherman fishing1 hunting1 camping1 sailing1 surfing1
money123 moneyman richman1 getmoney cashmoney bitcoin1 ethereum dogecoin blockchain lottery1 jackpot1 casino12 poker123
blackjack 7eleven7 lucky777 lucky123 lucky13x devil666 satan666 hell6666 heaven777 godbless godislove jesus123 jesus777 jesussaves
ilovejesus1 christ12 hallelujah emmanuel1 trinity1 archangel gabriel1 guardian guardianangel`,
  ]
    .flatMap((text) => text.split(/\s+/))
    .filter((text) => text.length >= 8),
);
