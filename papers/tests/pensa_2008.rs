//! [PMPG08] Pensa, Monreale, Pinelli, Pedreschi. Pattern-preserving k-anonymization of sequences. PiLBA 2008.

// Section 5.1, Data preparation: regions of interest.

mod regions_of_interest {
    use throng_prepare::regions::{DensityGrid, Rectangle, extract};

    /// The densest cell starts the first region and stays alone; the block of four grows right, then down.
    #[test]
    fn small_grid_gives_two_regions_in_order_of_density() {
        let grid = DensityGrid::new(3, vec![5, 4, 0, 4, 3, 0, 0, 0, 6]).expect("three whole rows");
        let regions = extract(&grid, 3);
        assert_eq!(
            regions.rectangles,
            [
                Rectangle { top: 2, left: 2, bottom: 2, right: 2 },
                Rectangle { top: 0, left: 0, bottom: 1, right: 1 },
            ]
        );
        assert_eq!([regions.of(1, 1), regions.of(2, 2), regions.of(0, 2)], [Some(1), Some(0), None]);
    }
}
