BEGIN TRANSACTION;
CREATE TABLE kibitz_meta (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "kibitz_meta" VALUES('format','1');
CREATE TABLE kibitz_pictures (
	table_id VARCHAR(40) NOT NULL, 
	seq INTEGER NOT NULL, 
	jpeg BLOB NOT NULL, 
	PRIMARY KEY (table_id, seq), 
	FOREIGN KEY(table_id) REFERENCES kibitz_tables (id)
);
INSERT INTO "kibitz_pictures" VALUES('hkv95rdr',1,X'FFD8206F6E6520FFD9');
INSERT INTO "kibitz_pictures" VALUES('hkv95rdr',3,X'FFD82074776F20FFD9');
CREATE TABLE kibitz_steps (
	table_id VARCHAR(40) NOT NULL, 
	seq INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data TEXT NOT NULL, 
	idem VARCHAR(64), 
	PRIMARY KEY (table_id, seq), 
	UNIQUE (table_id, idem), 
	FOREIGN KEY(table_id) REFERENCES kibitz_tables (id)
);
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',1,1.79525383353202366834e+09,'seen','{"line":{"status":"play","play":{"player":"Ann","tiles":{"H7":"C","H8":"A","H9":"T"},"removed":[],"turned":[],"words":[{"word":"CAT","score":10}],"turn_score":10},"question":null,"events":[],"say":["Ann plays CAT.","10 for CAT; 10."],"scores":{"Ann":10,"Bob":0},"to_move":"Bob"},"say":["Ann plays CAT.","10 for CAT; 10."],"photo":0,"t":0.041,"change":{"keep":0,"entries":[{"do":{"action":"place","tiles":{"H7":"C","H8":"A","H9":"T"}},"photo":0}],"photos":1,"lying":["...............","...............","...............","...............","...............","...............","...............","......CAT......","...............","...............","...............","...............","...............","...............","..............."]}}',NULL);
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',2,1.79525383353552460668e+09,'told','{"do":{"action":"pass"},"by":{"role":"host"},"say":["Bob passes."],"asked":"ac0d5cf8ba17955a80132f592a422d0a0e9427a1c359a3041939f436ac3f0e8b","answer":{"result":{"turn_score":0},"say":["Bob passes."]},"t":0.044,"change":{"keep":1,"entries":[{"do":{"action":"pass","at":0.043},"photo":1,"told":true}],"photos":1}}','b9e766daea7a82eaccc34028bc67f37b1f7c1c655c3ebef6a03333adef3255d6');
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',3,1.79525383363156318663e+09,'seen','{"line":{"status":"play","play":{"player":"Ann","tiles":{"G8":"B","I8":"D"},"removed":[],"turned":[],"words":[{"word":"BAD","score":6}],"turn_score":6},"question":null,"events":[],"say":["Bob passes.","Ann plays BAD.","6 for BAD; 16."],"scores":{"Ann":16,"Bob":0},"to_move":"Bob"},"say":["Bob passes.","Ann plays BAD.","6 for BAD; 16."],"photo":1,"t":0.14,"change":{"keep":2,"entries":[{"do":{"action":"place","tiles":{"G8":"B","I8":"D"}},"photo":1}],"photos":2,"lying":["...............","...............","...............","...............","...............","...............",".......B.......","......CAT......",".......D.......","...............","...............","...............","...............","...............","..............."]}}',NULL);
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',4,1.79525383363377952572e+09,'allow_word','{"do":{"action":"allow_word","word":"QAT"},"by":{"role":"host"},"say":[],"t":0.142,"change":{"keep":3,"entries":[],"photos":2,"allowed":["QAT"]}}',NULL);
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',5,1.79525383363545584683e+09,'undo','{"do":{"action":"undo"},"by":{"role":"host"},"say":[],"t":0.144,"change":{"keep":3,"entries":[],"photos":2,"allowed":[]}}',NULL);
INSERT INTO "kibitz_steps" VALUES('hkv95rdr',6,1.79525383363681197168e+09,'correct','{"do":{"action":"correct","square":"H7","letter":"B"},"by":{"role":"host"},"say":[],"t":0.145,"change":{"keep":0,"entries":[{"do":{"action":"place","tiles":{"H8":"A","H9":"T","H7":"B"}},"photo":0},{"do":{"action":"pass","at":0.043},"photo":1,"told":true},{"do":{"action":"place","tiles":{"G8":"B","I8":"D"}},"photo":1}],"photos":2,"lying":["...............","...............","...............","...............","...............","...............",".......B.......","......BAT......",".......D.......","...............","...............","...............","...............","...............","..............."]}}',NULL);
CREATE TABLE kibitz_tables (
	id VARCHAR(40) NOT NULL, 
	created FLOAT NOT NULL, 
	header TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "kibitz_tables" VALUES('hkv95rdr',1.79525383336028790471e+09,'{"game":"scrabble","players":["Ann","Bob"],"settings":{},"tiles":"en","lexicon":"default"}');
CREATE TABLE kibitz_tokens (
	hash VARCHAR(64) NOT NULL, 
	table_id VARCHAR(40) NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	player VARCHAR(200), 
	PRIMARY KEY (hash), 
	FOREIGN KEY(table_id) REFERENCES kibitz_tables (id)
);
INSERT INTO "kibitz_tokens" VALUES('75517d20b7c153ea75eab3944988472e79ebb184a76c94194d8bc768d7ab7bce','hkv95rdr','host',NULL);
INSERT INTO "kibitz_tokens" VALUES('7727ab3c38fc9235ccf284fc7ece9283d30d5830917ff3e58dfd48351b928e77','hkv95rdr','camera',NULL);
INSERT INTO "kibitz_tokens" VALUES('4e009efd3c9d8925a1495f268bf8a3471f9d4c6c6e072cc923681be9910b7cbd','hkv95rdr','watch',NULL);
INSERT INTO "kibitz_tokens" VALUES('ca003440bdf8487a59b466bd6c328d0ae5d0b9bfbe005bfd505e9e71dc3ed2d9','hkv95rdr','seat','Ann');
INSERT INTO "kibitz_tokens" VALUES('f342cb97af8479841b89125dcab6eb6a0f9d5423a75c594bbbd44a02eed39042','hkv95rdr','seat','Bob');
COMMIT;
