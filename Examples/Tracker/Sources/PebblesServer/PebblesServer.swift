import Pebbles
