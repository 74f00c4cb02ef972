//! What columns are called that identify people: English, German, French, Spanish, Portuguese, Italian, Greek.
//!
//! A name is taken apart into words (`first_name`, `firstName`, `First Name`), accents are taken off, and every run of words is looked up. A word that says what is
//! meant instead (`email_consent`, `address_city`, `phone_type`) speaks against it.

use super::IdentifierKind;

/// What the name of a column says.
pub(super) struct Called {
    pub kind: IdentifierKind,
    /// Whether the name can hardly mean anything else.
    pub sure: bool,
}

/// Names of a kind: those that mean nothing else, wherever they stand in a longer name, and those that count only as the whole name.
struct Words {
    kind: IdentifierKind,
    sure: &'static str,
    whole: &'static str,
}

const WORDS: [Words; 8] = [
    Words {
        kind: IdentifierKind::Email,
        sure: "email emailaddress emailadresse mailadresse eposta courriel adressemail adresseemail correo correoelectronico \
               correoe postaelettronica indirizzoemail correioeletronico ηλεκτρονικοταχυδρομειο ιμειλ",
        whole: "mail",
    },
    Words {
        kind: IdentifierKind::Telephone,
        sure: "phone telephone phonenumber phoneno telephonenumber mobilenumber mobilephone mobileno cellphone fax faxnumber msisdn \
               telefon telefonnummer telefonnr handynummer handynr mobilnummer mobiltelefon rufnummer festnetznummer faxnummer \
               numerodetelephone numerotelephone telephoneportable telefono numerodetelefono telefonomovil numerocelular \
               telefone numerodetelefone telemovel numerodetelefono cellulare numeroditelefono numerocellulare telefonino \
               τηλεφωνο τηλ κινητο αριθμοστηλεφωνου tilefono",
        whole: "tel mobile cell handy mobil portable movil celular contactnumber kinito",
    },
    Words {
        kind: IdentifierKind::Document,
        sure: "ssn socialsecurity socialsecuritynumber socialsecurityno passport passportnumber passportno driverslicense driverslicence \
               driverlicense driverlicence drivinglicense drivinglicence licenseplate licenceplate numberplate plateno platenumber \
               nationalid nationalidentifier nationalidnumber identitycard identitynumber idcard idnumber taxid taxnumber taxpayerid \
               nationalinsurance nationalinsurancenumber nhsnumber nhsno mrn medicalrecordnumber medicalrecordno medicarenumber \
               insurancenumber healthcardnumber voterid \
               reisepass reisepassnummer passnummer passnr ausweis ausweisnummer ausweisnr personalausweis personalausweisnummer \
               fuhrerschein fuehrerschein fuhrerscheinnummer fuehrerscheinnummer sozialversicherungsnummer svnr steuernummer steuerid \
               steueridentifikationsnummer krankenversicherungsnummer krankenversichertennummer versichertennummer \
               versicherungsnummer rentenversicherungsnummer kfzkennzeichen autokennzeichen \
               passeport numerodepasseport permisdeconduire carteidentite cartedidentite cartenationaledidentite nir numerosecu \
               numerodesecuritesociale securitesociale numerofiscal plaquedimmatriculation immatriculation cartevitale \
               dni nif curp cedula cedulaciudadania pasaporte numerodepasaporte permisodeconducir permisoconducir licenciadeconducir \
               carnetdeconducir segurosocial numerodeseguridadsocial seguridadsocial documentodeidentidad carnetdeidentidad \
               cpf passaporte cartaodecidadao cartaocidadao cartadeconducao bilhetedeidentidade cnh numerodoutente niss \
               numerodecontribuinte carteiradeidentidade cartaosus \
               codicefiscale passaporto cartadidentita cartaidentita patentediguida tesserasanitaria targa partitaiva \
               αφμ αμκα ταυτοτητα αριθμοσταυτοτητασ αδτ διαβατηριο αριθμοσδιαβατηριου διπλωμαοδηγησησ αριθμοσκυκλοφοριασ afm amka",
        whole: "drivers license licence vin nie rg nss rfc matricula patente kennzeichen tin nin pis bi",
    },
    Words {
        kind: IdentifierKind::Account,
        sure: "iban accountnumber accountno bankaccount bankaccountnumber creditcard creditcardnumber cardnumber cardno ccnumber debitcard \
               username loginname userlogin screenname policynumber \
               kontonummer kontonr bankverbindung kreditkarte kreditkartennummer kartennummer benutzername nutzername anmeldename \
               comptebancaire numerodecompte cartebancaire cartedecredit numerodecarte nomutilisateur nomdutilisateur \
               cuentabancaria numerodecuenta numerocuenta tarjetadecredito numerodetarjeta nombredeusuario nombreusuario \
               contabancaria numerodaconta numeroconta cartaodecredito numerodocartao nomedeusuario nomedeutilizador \
               contocorrente numeroconto numerodiconto cartadicredito numerocarta nomeutente \
               αριθμοσλογαριασμου λογαριασμοστραπεζασ πιστωτικηκαρτα αριθμοσκαρτασ ονομαχρηστη",
        whole: "account login konto compte rib cuenta conta conto pan usuario utente λογαριασμοσ",
    },
    Words {
        kind: IdentifierKind::Device,
        sure: "imei imsi iccid macaddress macaddr ipaddress ipaddr ipv4 ipv6 deviceid deviceidentifier serialnumber serialno udid idfa gaid \
               advertisingid androidid cookieid fingerprintid \
               gerateid geraeteid seriennummer ipadresse macadresse \
               adresseip adressemac numerodeserie numeroserie direccionip direccionmac enderecoip enderecomac \
               indirizzoip indirizzomac numerodiserie διευθυνσηip σειριακοσαριθμοσ",
        whole: "ip mac device cookie",
    },
    Words {
        kind: IdentifierKind::Address,
        sure: "address streetaddress homeaddress postaladdress mailingaddress addressline1 addressline2 addressline street streetname \
               streetnumber housenumber houseno \
               adresse anschrift wohnadresse postanschrift strasse strassenname hausnummer hausnr \
               adressepostale domicile direccion direccionpostal calle domicilio \
               endereco morada rua logradouro indirizzo indirizzodicasa numerocivico διευθυνση οδοσ διευθυνσηκατοικιασ dieuthinsi",
        whole: "rue via residence addr residenza",
    },
    Words {
        kind: IdentifierKind::Name,
        sure: "firstname lastname surname familyname givenname forename middlename maidenname fullname nickname christianname fname lname \
               vorname vornamen nachname familienname geburtsname zuname rufname madchenname maedchenname spitzname \
               prenom prenoms nomdefamille nomdenaissance nomdejeunefille nomdusage nomcomplet nometprenom nomprenom \
               apellido apellidos primerapellido segundoapellido nombrecompleto nombreyapellidos nombreyapellido \
               sobrenome sobrenomes nomecompleto nomedamae nomedopai \
               cognome nominativo nomeecognome nomecognome cognomenome \
               επωνυμο επιθετο ονοματεπωνυμο πατρωνυμο μητρωνυμο onomateponymo eponymo eponimo",
        whole: "first last maiden name names namen nom nombre nome apelido onoma ονομα μικροονομα alias given",
    },
    Words {
        kind: IdentifierKind::FreeText,
        sure: "",
        whole: "note notes comment comments remark remarks freetext description narrative clinicalnotes message text \
                bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen freitext notiz notizen beschreibung nachricht \
                commentaire commentaires remarque remarques texte observation observations \
                comentario comentarios observacion observaciones nota notas mensaje texto \
                observacao observacoes mensagem commento commenti osservazione osservazioni messaggio testo \
                σχολιο σχολια παρατηρηση παρατηρησεισ σημειωσεισ κειμενο μηνυμα",
    },
];

/// Words for people: with a word for a name or a number behind or before them, the column names people.
const PEOPLE: &str = "patient patients customer client person user employee student pupil mother father parent guardian owner resident passenger \
    participant subject member donor driver tenant applicant cardholder holder spouse husband wife partner child doctor physician nurse teacher \
    beneficiary insured voter guest buyer citizen worker staff legal preferred full first last middle maiden given family contact \
    patienten kunde kunden mitarbeiter schuler student studenten versicherten mutter vater personen person personal \
    matrikel fall paciente cliente empleado alumno madre padre funcionario utente aluno mae pai paziente dipendente studente assistito \
    eleve salarie employe mere pere conjoint assure ασθενη ασθενουσ πελατη μητεροσ πατεροσ μητρασ πατερα μαθητη φοιτητη υπαλληλου";

const NAMES: &str = "name names namen nom noms nombre nombres nome nomi ονομα onoma";

const NUMBERS: &str = "id ids uid uuid guid key number no nr num nummer numero nro identifier kennung kennziffer αριθμοσ κωδικοσ";

/// Words that say that something else is meant.
const AGAINST: &str = "type kind flag class category status count counts has is consent verified provider carrier brand model country state city town \
    county region zip zipcode postcode postal district quarter date year month day age length domain lang language group score size usage minutes plan \
    service services calls lines product drug item file company hospital school store shop station place category column \
    typ art anzahl ort plz stadt land datum jahr ville pays ciudad pais cidade citta tipo tipologia data fecha ano annee anno \
    πολη χωρα ημερομηνια τυποσ εταιρεια";

/// Words of columns that an attacker may know or must not learn, whatever their values: they are no names.
const KNOWN: &str = "zip zipcode postcode postal postalcode plz postleitzahl cp cap codepostal codigopostal birth birthdate birthday born dob birthplace \
    geburtsdatum geburtsort naissance nacimiento nascimento nascita date time timestamp year city town village county municipality region place \
    location coordinates coordinate position geometry geom wkt point lat lon latitude longitude age sex gender race ethnicity religion nationality country \
    job occupation profession diagnosis diagnose diagnostico disease icd income salary wage education marital status category type class";

/// What a column of that name holds, if its name says something that identifies people.
pub(super) fn called(name: &str) -> Option<Called> {
    let words = words(name);
    let whole = words.concat();
    let is = |list: &str, word: &str| list.split_ascii_whitespace().any(|known| known == word);
    let against = words.len() > 1 && words.iter().any(|word| is(AGAINST, word));
    if against || words.is_empty() {
        return None;
    }
    for of in &WORDS {
        if is(of.whole, &whole) {
            return Some(Called { kind: of.kind, sure: false });
        }
    }
    for of in &WORDS {
        let runs = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
        if runs.map(|(from, to)| words[from..to].concat()).any(|run| is(of.sure, &run)) {
            return Some(Called { kind: of.kind, sure: true });
        }
    }
    let person = words.iter().any(|word| is(PEOPLE, word));
    if person && words.iter().any(|word| is(NAMES, word)) {
        return Some(Called { kind: IdentifierKind::Name, sure: true });
    }
    let numbered = words.windows(2).any(|pair| is(PEOPLE, &pair[0]) && is(NUMBERS, &pair[1]))
        || words.len() > 1 && is(NUMBERS, &words[0]) && words[1..].iter().any(|word| is(PEOPLE, word))
        || NUMBERED.iter().any(|ending| whole.strip_suffix(ending).is_some_and(|start| is(PEOPLE, start)));
    numbered.then_some(Called { kind: IdentifierKind::PersonNumber, sure: false })
}

/// How numbers of people end that are written in one word: `patientid`, `Kundennummer`.
const NUMBERED: [&str; 6] = ["id", "nummer", "nr", "number", "no", "numero"];

/// Whether the name says that the column is one an attacker may know, or must not learn.
pub(super) fn is_known(name: &str) -> bool {
    words(name).iter().any(|word| KNOWN.split_ascii_whitespace().any(|known| known == word))
}

/// Whether the column has the name of a running number.
pub(super) fn is_number_of_something(name: &str) -> bool {
    let words = words(name);
    let numbers = || NUMBERS.split_ascii_whitespace();
    words.last().is_some_and(|last| numbers().any(|known| known == last))
}

/// The words of a name in small letters without accents: `FirstName`, `first_name` and `First name` have the same two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    // Accents may be written apart from their letters.
    for letter in name.chars().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)) {
        if !letter.is_alphanumeric() {
            words.push(String::new());
            small = false;
            continue;
        }
        if small && letter.is_uppercase() {
            words.push(String::new());
        }
        small = letter.is_lowercase();
        for plain in letter.to_lowercase() {
            if let Some(word) = words.last_mut() {
                word.push_str(&without_accent(plain));
            }
        }
    }
    words.retain(|word| !word.is_empty());
    // `e-mail` is one word.
    if let Some(at) = words.windows(2).position(|pair| pair == ["e", "mail"]) {
        words.splice(at..at + 2, ["email".to_owned()]);
    }
    words
}

fn without_accent(letter: char) -> String {
    let plain = match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ß' => return "ss".to_owned(),
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        // One letter in two forms.
        'ς' => 'σ',
        other => other,
    };
    plain.to_string()
}
