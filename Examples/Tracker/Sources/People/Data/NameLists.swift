/// The parts from which names are generated.
enum NameLists {
  static let given = list(
    """
    Ada Agnès Aïcha Alejandra Álvaro Amélie Anaïs Anders Andrei Anna Anna-Lena Antónia Aoife Arthur
    Åsa Ayşe Beatriz Björn Boris Brigitta Bronisław Camille Carlos Cécile Charlotte Chloé Claire
    Dagmar Daniel Dávid Diego Dilnoza Đorđe Eduardo Eléonore Elif Elin Emília Emma Enrique Erik
    Étienne Eva Fatima Felix Fernanda Finn Françoise Frédéric Freya Gabriele Georg Gita Grace
    Grażyna Gülşen Gustav Håkon Hanna Haruka Héctor Helena Hiroshi Hugo Ibrahim Ida Iñaki Ingrid
    Irène Isabel İsmail Ivana Jacek Jan Jean-Pierre Jérôme Joaquín Johanna José Judit Júlia Jürgen
    Kateřina Kenji Khadija Kim Kofi Kristján Kwame Lars Laura Léa Leïla Leon Lina Linh Łucja Łukasz
    Maëlle Magnús Małgorzata Manuel María Marie-Claire Márta Mateusz Matthías Mehmet Mei Mia Milica
    Milos Miriam Mohamed Mónica Myrto Nadia Naïma Natália Ngozi Niamh Niels Nikos Noémie Nour Núria
    Olga Olivier Omar Ørjan Óscar Owen Pál Paula Pavel Pedro Petra Pía Piotr Priya Quentin Quỳnh
    Rafał Ragnhild Rahel Ravi Renée Rocío Rosa Rūta Sakura Samira Sandra Saoirse Sébastien Selma
    Şebnem Sigrún Siobhán Sofía Søren Stefan Stéphane Sven Tadeusz Tamás Tariq Teresa Théo Thị Tim
    Tomáš Tove Uğur Ulrike Ursula Valérie Vasilis Veronika Věra Viktória Vilde Wanda Wei Wiesław
    Xavier Xenia Yara Yasmin Yolanda Yuki Yusuf Zeynep Zoë Żaneta Željko Zsófia محمد فاطمة דוד שרה
    Ελένη Юрий Наталья 美咲 伟 지우 अनिता
    """)

  static let family = list(
    """
    Abe Acosta Ağaoğlu Ahmed Åkesson Álvarez Andersson Araújo Bąk Bauer Beaulieu Becker Benítez Berg
    Błaszczyk Boateng Böhm Bondarenko Borges Børresen Çelik Černý Chen Côté Cruz Czajka Dahl
    D'Angelo Delacroix Demir Díaz Đỗ Dubois Dvořák Eberhardt Eklund Erdoğan Espinoza Farkas
    Fernández Fischer Flores Fournier Friðriksson Fuchs Gagné García Gauthier Gómez González
    Grünwald Guðmundsson Gutiérrez Hansen Haşimoğlu Hernández Hoffmann Horváth Huber Ibáñez Ivanov
    Jäger Jansen Jiménez Johansson Jørgensen Kaczmarek Kamiński Kaya Keller Kılıç Kim Kjær Köhler
    Kovács Kowalski Kraus Kučera Kuznetsova Lacroix Lang Larsson Léger Lehmann Lévesque Lê Lindqvist
    López MacDonald Märtens Martínez Mbeki Meyer Mikkelsen Molnár Moreau Müller Muñoz Nagy Nakamura
    Nguyễn Nielsen Nováková Nowak Núñez O'Brien O'Connor Ødegård Okafor Olsen Öztürk Papadopoulos
    Peña Pérez Petrov Pfeiffer Pham Pokorný Popović Quiñones Raymond Rojas Rodríguez Romão Roßmann
    Rousseau Różański Sáez Şahin Sánchez Santos Sato Schäfer Schmidt Schröder Silva Singh Škoda
    Smith Sørensen Souza Stanković Strauß Svoboda Szabó Tanaka Tóth Trần Tremblay Ünal Vargas
    Vasiliou Vázquez Virtanen Vögel Vuković Wagner Wang Weiß Wiśniewska Wójcik Yamamoto Yıldız Young
    Zając Zhang Zimmermann Żukowski Žižka الحسن כהן Παππάς Смирнова 田中 王 김 शर्मा
    """)

  /// The particles in old family names.
  static let particles = list("van der von zu de la dos al del")

  /// The first halves of two-part family names. Each is followed by one of the `ends`.
  static let beginnings = list(
    """
    Adler Alden Ap Ash Aster Bel Bern Bir Brack Bran Brun Cal Carl Cor Dal Dor Eber Edel Eich El
    Ester Fal Fern Fors Gar Gil Gold Gran Hal Har Hazel Holm Horn Il Jar Kal Kast Kess Kirch Kron
    Lam Lind Lor Lund Mal Mar Mel Mon Mor Nad Nor Ober Or Pal Per Quar Ras Ren Ros Sal Sand Sel
    Silver Sol Stein Stern Strom Sund Tal Tan Thorn Tor Ul Val Var Vester Vin Wald War Wester Win
    Yor Zan Zell
    """)

  static let ends = list(
    """
    acker aldi anov ard auer bach back beck berg borg brink burg by dahl dal dorf ek ell elli enko
    escu feld felder field ford fors gaard gren grove halm hardt haus heim hoff holm idze ier in
    ington ini ius kamp kov kvist land lein ler ley lund man mann mark meier mont moor nes nov off
    ow owski quist rath rup sen shvili sky son stad stam stedt stein stock strand stream strom tal
    thal ton vall vang vik ville waite wald weiler wood worth zadeh
    """)

  private static func list(_ text: String) -> [String] {
    text.split { $0.isWhitespace }.map(String.init)
  }
}
