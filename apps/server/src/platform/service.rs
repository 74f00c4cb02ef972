//! What handlers ask: a part of the server's state that one right opens.

use super::principal::{Principal, Right};
use super::problem::Problem;

/// A part of the server's state, cheap to clone.
///
/// Handlers get one by `State` and ask it for a [`Principal`]; there is no other way in.
pub trait Service: Clone + Send + Sync + 'static {
    /// What a principal needs to ask it.
    const RIGHT: Right;

    /// Does work that waits for disks or computes, for a principal, on a thread where that holds up no other request.
    fn ask<T: Send + 'static>(
        &self,
        principal: &Principal,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> impl Future<Output = Result<T, Problem>> + Send {
        let allowed = principal.need(Self::RIGHT);
        let service = self.clone();
        async move {
            allowed?;
            tokio::task::spawn_blocking(move || work(&service))
                .await
                .unwrap_or_else(|_| Err(Problem::internal("the request could not be worked on")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Counted(u64);

    impl Service for Counted {
        const RIGHT: Right = Right::Jobs;
    }

    #[tokio::test]
    async fn a_service_works_only_for_those_who_may() {
        let service = Counted(7);
        assert_eq!(service.ask(&Principal::local(), |service| Ok(service.0)).await.unwrap(), 7);
        let reader = Principal::new("reader", &[Right::Projects]);
        assert_eq!(service.ask(&reader, |service| Ok(service.0)).await.unwrap_err().status, 403);
    }

    #[tokio::test]
    async fn work_that_panics_is_a_fault_of_the_program() {
        let principal = Principal::local();
        let worked = Counted(0)
            .ask(&principal, |_| -> Result<(), Problem> { std::panic::resume_unwind(Box::new("broken")) });
        assert_eq!(worked.await.unwrap_err().status, 500);
    }
}
