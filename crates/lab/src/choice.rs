//! Parses and prints the values that a flag accepts. Each set is a type, so that clap rejects a misspelled value. A
//! misspelled plain string would match nothing, and nothing would be measured.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Whether a value is selected. An empty selection selects all.
pub(crate) fn has<T: PartialEq>(chosen: &[T], one: &T) -> bool {
    chosen.is_empty() || chosen.contains(one)
}

/// The value's spelling on the command line.
pub(crate) fn word(one: impl ValueEnum) -> String {
    one.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// A parser for a flag that accepts only some values of a type.
pub(crate) fn one_of<T: ValueEnum + Send + Sync + 'static>(some: &[T]) -> impl TypedValueParser<Value = T> + use<T> {
    PossibleValuesParser::new(some.iter().filter_map(T::to_possible_value)).try_map(|word| T::from_str(&word, false))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;
    use crate::LabArguments;
    use crate::servers::MqttServerKind;

    fn parsed(line: &str) -> Result<(), ErrorKind> {
        let words = ["stoa-lab"].into_iter().chain(line.split_whitespace());
        LabArguments::try_parse_from(words).map(drop).map_err(|error| error.kind())
    }

    /// Asserts that a command line from a document or script parses, and that it fails with its last value
    /// misspelled.
    fn takes(line: &str) {
        assert_eq!(parsed(line), Ok(()), "{line}");
        let typo = format!("{line}x");
        assert_eq!(parsed(&typo), Err(ErrorKind::InvalidValue), "{typo}");
    }

    #[test]
    fn documented_flag_values_parse_and_misspelled_ones_are_refused() {
        takes("compare --before stoa --only fanout,persist,motion,webtransport,idle");
        takes("fanout --only stoa,mosquitto,nats-server,floor,nats");
        takes("arena-load --only stoa,mosquitto");
        takes("arena-click --places local,lan,wifi,wan");
        takes(
            "hostile --only store,history,getpersist,json,template,listeners,snapshots,uploads,http2files,tokens,lists",
        );
        takes("hostile --actor guest");
        takes("hostile --topology c");
        takes("car --only load,ceiling,tables,figures");
        takes("car --servers tcp,select,epoll,udp,at-once,ticks,auto");
        takes("forest-game --only players,regions,plane,rates");
        takes("forest-game --policy radius");
        takes("map --policies all,nearest,hex");
        takes("motion --only all,hands,webtransport,beside,memory,loss,serving,growth");
        takes("motion --only growth_nearest_randomwalk,growth_nearest_boids,growth_hex_randomwalk,growth_hex_boids");
        takes("motion --policy hex");
        takes("motion --serving at-once");
        takes("ubiq --only people,rates,messages,flocks");
        takes("ubiq --servers stoa,mosquitto");
        takes("ubiq --kinds baseline_randomwalk,baseline_boids,knn_randomwalk,knn_boids,hex_randomwalk,hex_boids");
        takes("ubiq --kinds baseline_randomwalk_60hz,knn_randomwalk_60hz,hex_randomwalk_60hz");
        takes("voice --only netcode,webtransport,cost,rate,delay,script");
        takes("vhct --only pairs,everyone,search,batches,switch");
        takes("vhct --servers tcp,hybrid,vectors,stoa,stoa-flows");
        takes("vhct --serving auto,at-once,ticks");
    }

    #[test]
    fn a_flag_refuses_values_of_other_experiments() {
        assert_eq!(parsed("arena-load --only nats"), Err(ErrorKind::InvalidValue), "a server of fanout");
        assert_eq!(parsed("forest-game --policy all"), Err(ErrorKind::InvalidValue), "no policy like regions");
        assert_eq!(parsed("map --policies radius"), Err(ErrorKind::InvalidValue));
    }

    #[test]
    fn an_empty_selection_selects_all() {
        assert!(
            has(&[], &MqttServerKind::Nats)
                && has(&[MqttServerKind::Stoa, MqttServerKind::Nats], &MqttServerKind::Nats)
        );
        assert!(!has(&[MqttServerKind::Stoa], &MqttServerKind::Nats), "negative control");
        assert_eq!(word(MqttServerKind::Nats), "nats");
    }
}
