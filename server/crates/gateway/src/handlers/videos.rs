//! The errors of the operations of `video`, which ask a model too.

use tollgate_api::generated::ops::video_a::{CreateImageVideoError, CreateTextVideoError};
use tollgate_api::generated::ops::videos::CreateVideoError;

use super::turn;

turn::turn_error!(CreateVideoError);
turn::turn_error!(CreateTextVideoError);
turn::turn_error!(CreateImageVideoError);
