//! Words that promises and the methods which keep them have in common.

use throng_contract::choices;

choices! {
    /// How `l` bounds the people who have a secret, among those who fit.
    pub enum SecretForm {
        /// At most one in `l`: what the paper claims.
        Ratio = "ratio",
        /// At most `l`: what the paper's definition says.
        Count = "count",
    }
}

choices! {
    /// Which l-diversity is meant.
    pub enum Variety {
        /// At least `l` different values.
        Distinct = "distinct",
        /// Entropy at least that of `l` equally frequent values.
        Entropy = "entropy",
        /// The most frequent value is rarer than `c` times the values from the `l`-th most frequent on.
        Recursive = "recursive",
    }
}

choices! {
    /// What a missing sensitive value counts as.
    pub enum MissingValue {
        /// Nothing: it neither diversifies a group nor makes it unlike the others.
        LeftOut = "left-out",
        /// One more value.
        Value = "value",
    }
}

choices! {
    /// How far apart two sensitive values are.
    pub enum Emd {
        /// Categories all equally far, numbers and dates by the number of values between them.
        ByType = "by-type",
        /// All equally far.
        Equal = "equal",
        /// By the number of values between them.
        Ordered = "ordered",
    }
}

impl Emd {
    /// Whether values of a column are apart by the number of values between them; `category` says whether it is one.
    pub fn is_ordered(self, category: bool) -> bool {
        match self {
            Emd::ByType => !category,
            Emd::Equal => false,
            Emd::Ordered => true,
        }
    }
}

choices! {
    /// What a person whose sensitive value is missing may have, where some values are named.
    pub enum MissingSecret {
        /// Any of them.
        Worst = "worst",
        /// None of them.
        Value = "value",
    }
}
