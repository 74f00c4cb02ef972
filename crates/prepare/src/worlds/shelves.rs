//! The stage of the basket world: a shop of 169 goods in aisles and departments.

/// Department, aisle, and the goods in it, separated by blanks.
pub(super) const SHELVES: &[(&str, &str, &str)] = &[
    ("produce", "fruit", "apples pears bananas oranges lemons grapes berries melons peaches"),
    (
        "produce",
        "vegetables",
        "tomatoes cucumbers carrots onions potatoes peppers lettuce cabbage spinach mushrooms leeks",
    ),
    ("produce", "herbs", "basil parsley chives mint"),
    ("dairy", "milk", "whole-milk skimmed-milk buttermilk cream sour-cream"),
    ("dairy", "yoghurt", "plain-yoghurt fruit-yoghurt curd quark"),
    ("dairy", "cheese", "cheddar gouda mozzarella feta soft-cheese grated-cheese"),
    ("dairy", "fats", "butter margarine lard"),
    ("dairy", "egg-shelf", "eggs egg-whites"),
    ("bakery", "bread", "white-bread brown-bread rye-bread baguette rolls"),
    ("bakery", "pastry", "croissants doughnuts muffins apple-pie cheesecake"),
    ("bakery", "dry-bread", "crackers rusks breadsticks"),
    ("meat-and-fish", "fresh-meat", "beef pork chicken turkey lamb mince"),
    ("meat-and-fish", "cold-cuts", "frankfurters salami ham bacon liver-pate chorizo"),
    ("meat-and-fish", "fish", "salmon herring tuna cod prawns"),
    ("pantry", "grains", "flour rice pasta oats couscous muesli cornflakes"),
    ("pantry", "baking", "sugar baking-powder vanilla yeast cocoa"),
    ("pantry", "sauces", "ketchup mustard mayonnaise soy-sauce vinegar olive-oil sunflower-oil"),
    ("pantry", "tins", "canned-beans canned-tomatoes canned-corn canned-fish soup stock"),
    ("pantry", "spreads", "honey jam peanut-butter chocolate-spread"),
    ("pantry", "spices", "salt pepper paprika cinnamon curry"),
    ("frozen", "frozen-meals", "frozen-pizza frozen-vegetables frozen-chips frozen-fish"),
    ("frozen", "ices", "ice-cream sorbet ice-cubes"),
    ("drinks", "soft-drinks", "cola lemonade mineral-water orange-juice apple-juice iced-tea"),
    ("drinks", "hot-drinks", "coffee instant-coffee black-tea herbal-tea drinking-chocolate"),
    ("drinks", "beer-and-wine", "lager ale red-wine white-wine sparkling-wine cider"),
    ("drinks", "spirits", "whisky vodka gin rum liqueur"),
    ("sweets", "chocolate", "chocolate-bar pralines chocolate-biscuits"),
    ("sweets", "candy", "chewing-gum boiled-sweets liquorice gummy-bears"),
    ("sweets", "snacks", "crisps peanuts popcorn salted-sticks"),
    ("household", "cleaning", "detergent dish-soap bleach sponges bin-bags"),
    ("household", "paper", "toilet-paper kitchen-roll napkins tissues"),
    ("household", "kitchen", "foil candles matches batteries"),
    ("care", "hygiene", "soap shampoo toothpaste razor"),
    ("care", "baby", "nappies baby-food"),
    ("care", "pets", "cat-food dog-food"),
];

/// Every good, in shelf order.
pub(super) fn goods() -> impl Iterator<Item = &'static str> {
    SHELVES.iter().flat_map(|(_, _, goods)| goods.split(' '))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_169_different_goods() {
        assert_eq!(goods().count(), 169);
        assert_eq!(goods().collect::<BTreeSet<_>>().len(), 169);
    }
}
