use super::*;

/// A hundred different words, or as many as are asked for, over and over.
fn texts(different: usize, rows: usize) -> Vec<String> {
    (0..rows)
        .map(|row| {
            format!(
                "Rowe{}",
                char::from(b'a' + (row % different % 26) as u8).to_string() + &(row % different).to_string()
            )
        })
        .collect()
}

fn kind_of(name: &str, values: &[String]) -> Option<IdentifierKind> {
    direct_identifier(name, values.iter().map(String::as_str)).map(|found| found.kind)
}

#[test]
fn columns_that_identify_people_are_recognised_by_name_in_seven_languages() {
    use IdentifierKind::*;
    let own = texts(60, 100);
    for (kind, names) in [
        (
            Name,
            "FIRST,LAST,MAIDEN,first_name,firstName,Last Name,patient_name,Name of mother,Vorname,Nachname,Familienname,Geburtsname,nom,prénom,Nom de famille,nombre,Apellidos,primer_apellido,sobrenome,nome,cognome,Όνομα,Επώνυμο,ΟΝΟΜΑΤΕΠΩΝΥΜΟ",
        ),
        (
            Document,
            "SSN,DRIVERS,PASSPORT,passport_no,drivers_license,National ID,NHS-Number,MRN,Reisepass,Führerschein,Sozialversicherungsnummer,Steuer-ID,passeport,permis de conduire,carte_identité,DNI,pasaporte,cédula,CPF,cartão_de_cidadão,codice fiscale,targa,ΑΦΜ,ΑΜΚΑ,Αριθμός ταυτότητας,διαβατήριο",
        ),
        (Email, "email,E-Mail,email_address,Courriel,correo electrónico,posta_elettronica"),
        (
            Telephone,
            "phone,home_phone,Telephone,mobile_number,Telefonnummer,Handynummer,téléphone,teléfono,telemóvel,telefone,cellulare,τηλέφωνο,κινητό",
        ),
        (
            Address,
            "ADDRESS,street,Home Address,Anschrift,Straße,Hausnummer,adresse,dirección,calle,endereço,morada,indirizzo,διεύθυνση,οδός",
        ),
        (
            Account,
            "IBAN,account_number,credit card,Kontonummer,numéro de compte,cuenta_bancaria,conta bancária,conto corrente,username,αριθμός λογαριασμού",
        ),
        (Device, "IMEI,mac_address,device_id,serial number,IP-Adresse,Seriennummer,numéro de série"),
        (
            PersonNumber,
            "patient_id,customer no,Kundennummer,Patientennummer,employeeId,id_cliente,numero_paciente",
        ),
    ] {
        for name in names.split(',') {
            assert_eq!(kind_of(name, &own), Some(kind), "{name}");
        }
    }
}

/// What attackers may know, and what must not be learned, is no name: a promise speaks of it.
#[test]
fn what_an_attacker_may_know_is_not_taken_for_a_name() {
    let few = texts(7, 100);
    let names = "age,sex,zip,race,native-country,diagnosis,occupation,income,workclass,education,marital-status,relationship,ETHNICITY,GENDER,\
                 BIRTHPLACE,CITY,STATE,COUNTY,PREFIX,SUFFIX,MARITAL,phone_type,email_consent,address_city,telephone,passport,contact,ward,disease,\
                 product_name,hospital_name,PhoneService,status,code,account_type,description,employee_count";
    for name in names.split(',') {
        assert_eq!(kind_of(name, &few), None, "{name}");
    }
    let numbers: Vec<String> = (0..100).map(|row| (20_000 + row * 137).to_string()).collect();
    let positions: Vec<String> = (0..100).map(|row| format!("{}", 48.0 + f64::from(row) / 999.0)).collect();
    for name in
        ["salary", "income", "LAT", "lon", "fnlwgt", "first", "HEALTHCARE_EXPENSES", "zip", "age", "weight"]
    {
        assert_eq!(kind_of(name, &numbers), None, "{name}");
        assert_eq!(kind_of(name, &positions), None, "{name}");
    }
    let days: Vec<String> =
        (0..100).map(|row| format!("19{:02}-{:02}-{:02}", row, row % 12 + 1, row % 28 + 1)).collect();
    for name in ["BIRTHDATE", "dob", "Geburtsdatum", "passport", "first"] {
        assert_eq!(kind_of(name, &days), None, "{name}");
    }
    let postcodes: Vec<String> = (0..100).map(|row| format!("SW{row} {}AA", row % 9)).collect();
    assert_eq!(kind_of("postcode", &postcodes), None);
    let ranges: Vec<String> = (0..100).map(|row| format!("[{row}, {})", row + 1)).collect();
    assert_eq!(kind_of("span", &ranges), None);
    let amounts: Vec<String> = (0..100).map(|row| format!("{row}.50 EUR")).collect();
    assert_eq!(kind_of("paid", &amounts), None);
}

#[test]
fn columns_that_identify_people_are_recognised_by_values_whatever_their_name() {
    use IdentifierKind::*;
    let of = |value: &dyn Fn(usize) -> String| (0..60).map(value).collect::<Vec<String>>();
    for (kind, values) in [
        (Email, of(&|row| format!("p{row}@mail.example.org"))),
        (Telephone, of(&|row| format!("+49 89 55{row:05}"))),
        (Telephone, of(&|row| format!("(555) 234-{row:04}"))),
        (Document, of(&|row| format!("999-12-{row:04}"))),
        (Device, of(&|row| format!("00:1b:44:11:3a:{row:02x}"))),
        (Device, of(&|row| format!("10.0.3.{row}"))),
        (Device, of(&|row| format!("b9c610cd-28a6-4636-ccb6-c7a0d2a4cb{row:02x}"))),
        (FreeText, of(&|row| format!("Patient {row} came with the neighbour and left before noon"))),
        (OwnValue, of(&|row| format!("S{row:08}X"))),
    ] {
        assert_eq!(kind_of("v", &values), Some(kind), "{}", values[1]);
    }
    let accounts = ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "FR1420041010050500013M02606"]
        .map(str::to_owned);
    assert_eq!(kind_of("v", &accounts), Some(Account));
    let cards = ["4111111111111111", "5500 0000 0000 0004", "340000000000009"].map(str::to_owned);
    assert_eq!(kind_of("v", &cards), Some(Account));
    let rows: Vec<String> = (0..60).map(|row| (1000 + row).to_string()).collect();
    assert_eq!((kind_of("order_id", &rows), kind_of("fnlwgt", &rows)), (Some(OwnValue), None));
}

#[test]
fn a_reason_repeats_no_value() {
    let values: Vec<String> = (0..60).map(|row| format!("p{row}@mail.example.org")).collect();
    let found = direct_identifier("v", values.iter().map(String::as_str)).unwrap();
    assert_eq!(found.reason, "its values look like e-mail addresses");
    let own = texts(60, 60);
    let found = direct_identifier("tag", own.iter().map(String::as_str)).unwrap();
    assert_eq!(found.reason, "60 of 60 rows have a value of their own");
}

#[test]
fn items_are_looked_at_by_their_form_alone() {
    let addresses: Vec<String> = (0..9).map(|row| format!("p{row}@mail.example.org")).collect();
    let items = |names: &[String]| {
        direct_identifier_of_items(names.iter().map(String::as_str)).map(|found| found.kind)
    };
    assert_eq!(items(&addresses), Some(IdentifierKind::Email));
    assert_eq!(items(&texts(40, 40)), None);
    let drugs: Vec<String> = (0..9).map(|row| format!("0002-143{row}-80")).collect();
    assert_eq!(items(&drugs), None);
}
