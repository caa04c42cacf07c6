use tollgate_tests::api::{Code, CodeInfo, Failure, Kind, Retry};

macro_rules! codes {
    ($($marker:ident { $($field:ident: $type:ty),* })*) => {$(
        pub struct $marker {
            $(pub $field: $type,)*
        }

        impl Code for $marker {
            const INFO: &'static CodeInfo = &CodeInfo {
                code: stringify!($marker),
                kind: &Kind { name: "bad_request", names: &[] },
                http: 400,
                http_also: &[],
                http_in: &[],
                names: &[],
                say: "",
                remedy: "",
                with: &[$(stringify!($field)),*],
                retry: Retry::Never,
            };

            fn failure(self) -> Failure {
                Failure::new(Self::INFO)$(.with(stringify!($field), self.$field))*
            }
        }
    )*};
}

codes! {
    OrderNotFound {}
    OrderExpired {}
    PayloadMismatch { field: String }
    X402PendingCap { cap: i64, pending: i64 }
}
