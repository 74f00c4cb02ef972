//! What columns are called in the files that people have.
//!
//! Names are compared by their letters and digits alone: `user_id`, `userID` and `User ID` are one name. A role's own name is certain; the
//! names in `aliases` are as good as each other, so that two of them are a question; those in `weaker` count where none of these is there.

/// What a column can be, the flag that names it, and the names it goes by without a flag.
#[derive(Debug, Clone, Copy)]
pub struct RoleName {
    /// The word for messages, and the column's own name.
    pub role: &'static str,
    /// The flag that names the column, if there is one.
    pub flag: Option<&'static str>,
    /// Other names, as good as the role's own.
    pub aliases: &'static [&'static str],
    /// Names that may mean something else.
    pub weaker: &'static [&'static str],
}

impl RoleName {
    /// How surely a column of that name plays the role: 3 for the role's own name, 2 for an alias, 1 for a weaker one, 0 for any other.
    pub fn fits(&self, name: &str) -> u8 {
        if name.eq_ignore_ascii_case(self.role) {
            return 3;
        }
        let plain = plain(name);
        let among = |names: &[&str]| names.contains(&plain.as_str());
        if among(self.aliases) {
            2
        } else if among(self.weaker) {
            1
        } else {
            0
        }
    }
}

/// Letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The person.
pub const SUBJECT: RoleName = RoleName {
    role: "subject",
    flag: Some("subject"),
    aliases: &[
        "user",
        "person",
        "id",
        "uid",
        "userid",
        "useridx",
        "username",
        "usernumber",
        "personid",
        "personnumber",
        "subjectid",
        "patient",
        "patientid",
        "patientnumber",
        "case",
        "caseid",
        "caseconceptname",
        "card",
        "cardid",
        "cardnumber",
        "cardno",
        "customer",
        "customerid",
        "customernumber",
        "client",
        "clientid",
        "member",
        "memberid",
        "passenger",
        "passengerid",
        "traveller",
        "travellerid",
        "participant",
        "participantid",
        "student",
        "studentid",
        "employee",
        "employeeid",
        "individual",
        "individualid",
        "respondent",
        "respondentid",
        "visitor",
        "visitorid",
        "taxi",
        "taxiid",
        "cab",
        "cabid",
        "vehicle",
        "vehicleid",
        "driver",
        "driverid",
        "device",
        "deviceid",
        "account",
        "accountid",
        "imei",
        "imsi",
        "msisdn",
        "who",
        "household",
        "householdid",
    ],
    weaker: &["tid", "objectid", "oid", "mover", "moverid"],
};

/// The trip, visit or basket.
pub const RECORD: RoleName = RoleName {
    role: "record",
    flag: Some("record"),
    aliases: &[
        "trip",
        "trajectory",
        "tripid",
        "trajectoryid",
        "trajid",
        "tid",
        "session",
        "sessionid",
        "visitid",
        "journey",
        "journeyid",
        "basket",
        "basketid",
        "transactionid",
        "orderid",
        "invoice",
        "invoiceno",
        "invoiceid",
        "stayid",
        "encounterid",
        "admissionid",
        "hadmid",
        "ride",
        "rideid",
        "tour",
        "tourid",
        "recordid",
    ],
    weaker: &[],
};

/// What was visited or bought.
pub const ITEM: RoleName = RoleName {
    role: "item",
    flag: Some("item"),
    aliases: &[
        "place",
        "location",
        "poi",
        "region",
        "itemid",
        "itemname",
        "placeid",
        "placename",
        "locationid",
        "locationname",
        "poiid",
        "poiidx",
        "poiname",
        "regionid",
        "venue",
        "venueid",
        "station",
        "stationid",
        "stationname",
        "stop",
        "stopid",
        "stopname",
        "activity",
        "activityname",
        "conceptname",
        "url",
        "page",
        "pageid",
        "product",
        "productid",
        "productname",
        "sku",
        "stockcode",
        "article",
        "articleid",
        "ward",
        "department",
        "cell",
        "cellid",
        "zone",
        "zoneid",
        "antenna",
        "antennaid",
        "tower",
        "towerid",
        "movie",
        "movieid",
        "song",
        "songid",
        "track",
        "drug",
        "medication",
        "attraction",
        "theme",
    ],
    weaker: &[
        "event",
        "eventname",
        "code",
        "icd",
        "category",
        "categoryname",
        "cat",
        "description",
        "name",
        "title",
    ],
};

/// When.
pub const TIME: RoleName = RoleName {
    role: "time",
    flag: Some("time"),
    aliases: &[
        "timestamp",
        "date",
        "datetime",
        "ts",
        "when",
        "starttime",
        "starttimestamp",
        "startdate",
        "begintime",
        "begin",
        "timetimestamp",
        "unixs",
        "unixtime",
        "unixtimestamp",
        "unix",
        "epoch",
        "eventtime",
        "eventdate",
        "eventtimestamp",
        "visitdate",
        "visittime",
        "checkintime",
        "utctime",
        "utctimestamp",
        "utc",
        "localtime",
        "arrivaltime",
        "createdat",
        "orderdate",
        "invoicedate",
        "transactiondate",
        "transactiontime",
        "charttime",
        "datetaken",
        "timems",
        "dateandtime",
        "recordedat",
        "loggedat",
        "accesstime",
    ],
    weaker: &["stopsequence", "sequence", "seq", "step", "position", "start", "day"],
};

/// The date, where the time is a time of day.
pub const DATE: RoleName = RoleName {
    role: "date",
    flag: Some("date"),
    aliases: &["day", "eventdate", "visitdate", "startdate", "calendardate"],
    weaker: &[],
};

/// How far north.
pub const LAT: RoleName =
    RoleName { role: "lat", flag: Some("lat"), aliases: &["latitude"], weaker: &["gpslat", "gpslatitude"] };
/// How far east.
pub const LON: RoleName = RoleName {
    role: "lon",
    flag: Some("lon"),
    aliases: &["lng", "long", "longitude"],
    weaker: &["gpslon", "gpslng", "gpslongitude"],
};
/// How far to the right on a plane.
pub const X: RoleName = RoleName {
    role: "x",
    flag: Some("x"),
    aliases: &["easting", "xcoord", "coordx", "xcoordinate"],
    weaker: &[],
};
/// How far up on a plane.
pub const Y: RoleName = RoleName {
    role: "y",
    flag: Some("y"),
    aliases: &["northing", "ycoord", "coordy", "ycoordinate"],
    weaker: &[],
};
/// What kind of item it is.
pub const CATEGORY: RoleName = RoleName {
    role: "category",
    flag: Some("category"),
    aliases: &["cat", "categoryname", "venuecategory", "poicategory", "theme"],
    weaker: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_letters() {
        for name in ["user_id", "userID", "User ID", "USERID", "case:concept:name", "TaxiID", "card"] {
            assert_eq!(SUBJECT.fits(name), 2, "{name}");
        }
        assert_eq!((SUBJECT.fits("Subject"), SUBJECT.fits("tid"), SUBJECT.fits("age")), (3, 1, 0));
        assert_eq!((ITEM.fits("poiID"), TIME.fits("time:timestamp"), TIME.fits("startTime")), (2, 2, 2));
    }
}
